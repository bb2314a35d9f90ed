import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { coalescer } from './coalesce.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('coalescer', () => {
  it('runs at once, and once more for all that came within the second', async () => {
    const soon = coalescer(1000)
    const work = vi.fn(async () => undefined)
    for (let times = 0; times < 50; times++) soon('webs', work)
    expect(work).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(999)
    expect(work).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(work).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(work).toHaveBeenCalledTimes(2)
    soon('webs', work)
    expect(work).toHaveBeenCalledTimes(3)
  })

  it('waits for a run that takes longer', async () => {
    const soon = coalescer(1000)
    const work = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 3000)))
    soon('webs', work)
    await vi.advanceTimersByTimeAsync(1500)
    soon('webs', work)
    expect(work).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1500)
    expect(work).toHaveBeenCalledTimes(2)
  })

  it('keeps keys apart, and goes on after a failure', async () => {
    const soon = coalescer(1000)
    const failing = vi.fn(() => Promise.reject(new Error('away')))
    const other = vi.fn(async () => undefined)
    soon('a', failing)
    soon('b', other)
    soon('a', other)
    expect(other).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(other).toHaveBeenCalledTimes(2)
  })
})
