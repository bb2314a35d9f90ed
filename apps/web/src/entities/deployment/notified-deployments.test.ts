import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openNotified } from './notified-deployments.ts'

const ended = (id: number, ended_at: string) => ({ id, ended_at })
const first = ended(1, '2026-11-25T10:00:00.000Z')
const second = ended(2, '2026-11-25T10:05:00.000Z')

function stubStorage(isBlocked: boolean) {
  const stored = new Map<string, string>()
  const access = <T>(result: () => T) => {
    if (isBlocked) throw new DOMException('The request is insecure.', 'SecurityError')
    return result()
  }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => access(() => stored.get(key) ?? null),
    setItem: (key: string, value: string) => void access(() => stored.set(key, value)),
  })
}
afterEach(() => {
  vi.unstubAllGlobals()
})

it.each([false, true])(
  'notifies of each end once, and of one that has ended again (blocked: %s)',
  (isBlocked) => {
    stubStorage(isBlocked)
    const notified = openNotified(1)
    expect(notified.record([first])).toEqual([first])
    expect(notified.record([second, first])).toEqual([second])
    expect(notified.record([second, first])).toEqual([])
    const again = ended(1, '2026-11-25T11:00:00.000Z')
    expect(notified.record([again, second, first])).toEqual([again])
  },
)

describe('with a storage', () => {
  beforeEach(() => stubStorage(false))

  it('notifies a user in one tab only, and another user, too', () => {
    const [one, other] = [openNotified(1), openNotified(1)]
    expect(one.record([first])).toEqual([first])
    expect(other.record([first])).toEqual([])
    expect(openNotified(2).record([first])).toEqual([first])
  })

  it.each([
    ['just now', 2_000, 2_000],
    ['an hour ago, where the user has signed in now', 3_600_000, 60_000],
  ])(
    'begins, on the first visit, a minute ago or with the page, which was loaded %s',
    (_, loadedMs, agoMs) => {
      vi.stubGlobal('performance', { timeOrigin: Date.now() - loadedMs })
      const passedMs = Date.now() - Date.parse(openNotified(1).since)
      expect(passedMs).toBeGreaterThanOrEqual(agoMs)
      expect(passedMs).toBeLessThan(agoMs + 5_000)
    },
  )

  it('asks for what has ended since the first visit, then with a minute for those that become visible late', () => {
    const notified = openNotified(1)
    const later = new Date(Date.now() + 3_600_000)
    const third = ended(3, later.toISOString())
    notified.record([third])
    // Others that ended before may still need a notification.
    expect(openNotified(1).since).toBe(notified.since)
    notified.advance([first, third])
    expect(openNotified(1).since).toBe(new Date(later.getTime() - 60_000).toISOString())
  })
})
