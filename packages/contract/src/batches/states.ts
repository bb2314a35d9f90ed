/** `failed`: a web failed, or none succeeded. `stopped`: too many webs failed, and the rest was not started. */
export const batchStates = ['running', 'succeeded', 'failed', 'stopped', 'cancelled'] as const
export type BatchState = (typeof batchStates)[number]

/** `skipped`: the action does not apply to the web, or was refused. */
export const batchTargetStates = [
  'waiting',
  'running',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
] as const
export type BatchTargetState = (typeof batchTargetStates)[number]

export const maxBatchWebs = 10_000
