import type { TargetCounts } from './read.ts'

export type Wave =
  | { readonly next: 'start'; readonly webs: number }
  /** All that may run at a time are running. */
  | { readonly next: 'wait' }
  /** Too many have failed. */
  | { readonly next: 'stop' }
  | { readonly next: 'end' }

/**
 * What a batch does next: it starts with one web, and goes on with more at a time once that has succeeded.
 * Those that are running count as not failed: judged by the few that have ended, one early failure would stop a large batch.
 * @param stop_above the percentage of failures among those that were started
 */
export function planWave(
  { waiting, running, succeeded, failed }: TargetCounts,
  { parallel, stop_above }: { readonly parallel: number; readonly stop_above: number },
): Wave {
  if (waiting === 0) return { next: running === 0 ? 'end' : 'wait' }
  if (failed > 0 && failed * 100 > stop_above * (running + failed + succeeded)) return { next: 'stop' }
  const limit = succeeded + failed === 0 ? 1 : parallel
  const free = Math.min(waiting, limit - running)
  return free > 0 ? { next: 'start', webs: free } : { next: 'wait' }
}
