import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTold } from './told-deployments.ts'

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
  'tells of each end once, and of one that has ended again (blocked: %s)',
  (isBlocked) => {
    stubStorage(isBlocked)
    const told = openTold(1)
    expect(told.mark([first])).toEqual([first])
    expect(told.mark([second, first])).toEqual([second])
    expect(told.mark([second, first])).toEqual([])
    const again = ended(1, '2026-11-25T11:00:00.000Z')
    expect(told.mark([again, second, first])).toEqual([again])
  },
)

describe('with a storage', () => {
  beforeEach(() => stubStorage(false))

  it('tells a user in one tab only, and another user, too', () => {
    const [one, other] = [openTold(1), openTold(1)]
    expect(one.mark([first])).toEqual([first])
    expect(other.mark([first])).toEqual([])
    expect(openTold(2).mark([first])).toEqual([first])
  })

  it('asks for what has ended since the first visit, then with a minute for those that become visible late', () => {
    const told = openTold(1)
    expect(Date.now() - Date.parse(told.since)).toBeLessThan(5_000)
    const later = new Date(Date.now() + 3_600_000)
    told.mark([ended(3, later.toISOString())])
    expect(openTold(1).since).toBe(new Date(later.getTime() - 60_000).toISOString())
  })
})
