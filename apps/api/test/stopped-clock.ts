import { afterAll, vi } from 'vitest'

/**
 * Stops the clock until the last test of the file, also for libraries that read it themselves. Timers run on.
 * @param at such as 2026-11-20T12:00:00Z
 */
export function stopClock(at: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) })
  afterAll(() => void vi.useRealTimers())
}

export const advanceClock = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms)
}
