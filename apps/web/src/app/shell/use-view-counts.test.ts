import type { View } from '@kustos/contract/views'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

let followCounts: typeof import('./use-view-counts.ts').followCounts
let queryClient: typeof import('../../platform/query.ts').queryClient

beforeAll(async () => {
  // The parts of a browser that the modules use.
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('window', globalThis)
  ;({ followCounts } = await import('./use-view-counts.ts'))
  ;({ queryClient } = await import('../../platform/query.ts'))
})
beforeEach(() => {
  vi.useFakeTimers()
})
afterAll(() => {
  vi.useRealTimers()
  queryClient.clear()
  vi.unstubAllGlobals()
})

it('has no number for a view that can no longer be counted', async () => {
  const views = [{ id: 7 }] as View[]
  const queryKey = ['rows']
  const countFew = (rows: readonly number[]) => (rows.length > 2 ? null : rows.length)
  const list = { queryKey, queryFn: async () => [1, 2], count: (rows: unknown) => countFew(rows as number[]) }
  let counts: ReadonlyMap<number, number> = new Map()
  const stop = followCounts(
    views,
    () => list,
    (next) => {
      counts = next
    },
  )
  await vi.advanceTimersByTimeAsync(1000)
  expect(counts.get(7)).toBe(2)
  queryClient.setQueryData(queryKey, [1, 2, 3])
  await vi.advanceTimersByTimeAsync(1000)
  expect(counts.has(7)).toBe(false)
  stop()
})
