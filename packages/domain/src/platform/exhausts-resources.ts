/**
 * Whether an error of a thread that filters rows means that the filter took all of its stack or memory, as a regular expression
 * with nested repetitions does before its time is over.
 */
export const exhaustsResources = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'Maximum call stack size exceeded' ||
    ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))
