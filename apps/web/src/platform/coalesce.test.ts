import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCoalescer } from './coalesce.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('createCoalescer', () => {
  it('runs at once, and once more for all calls within the second', async () => {
    const coalesce = createCoalescer(1000)
    const runs: number[] = []
    const start = Date.now()
    const work = async () => void runs.push(Date.now() - start)
    for (let times = 0; times < 50; times++) coalesce('webs', work)
    expect(runs).toEqual([0])
    await vi.advanceTimersByTimeAsync(6000)
    expect(runs).toEqual([0, 1000])
    coalesce('webs', work)
    expect(runs).toEqual([0, 1000, 6000])
  })

  it('waits for a longer run', async () => {
    const coalesce = createCoalescer(1000)
    const steps: string[] = []
    const work = async () => {
      steps.push('started')
      await new Promise((resolve) => setTimeout(resolve, 3000))
      steps.push('done')
    }
    coalesce('webs', work)
    await vi.advanceTimersByTimeAsync(1500)
    coalesce('webs', work)
    expect(steps).toEqual(['started'])
    await vi.advanceTimersByTimeAsync(1500)
    expect(steps).toEqual(['started', 'done', 'started'])
  })

  it('separates keys and continues after a failure', async () => {
    const coalesce = createCoalescer(1000)
    const runs: string[] = []
    const record = (key: string) => async () => void runs.push(key)
    coalesce('a', () => Promise.reject(new Error('failed')))
    coalesce('b', record('b'))
    coalesce('a', record('a'))
    expect(runs).toEqual(['b'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(runs).toEqual(['b', 'a'])
  })
})
