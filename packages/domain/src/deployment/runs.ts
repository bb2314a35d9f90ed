import type { Runner } from '@kustos/clients/runner'
import type { Claim } from './claim.ts'
import type { End } from './lease.ts'

type Row = Pick<Claim['row'], 'id' | 'epoch'>

/**
 * The id of a command on its machine, by which a later execution finds it. It carries the epoch of its claim, so that a
 * worker whose claim is over cannot start a command under the name of another.
 * @param step its index in the recipe, or a name for what the pre-flight asks
 */
export const createRunId = ({ id, epoch }: Row, step: number | 'disk' | `taken-${number}`): string =>
  `d${id}-${epoch}-${step}`

/**
 * Ends the runs of a step under earlier claims, and prevents those that have not started yet.
 * @returns whether one of them had succeeded
 */
export async function recoverRuns(runner: Runner, { id, epoch }: Row, step: number): Promise<boolean> {
  const earlier = Array.from({ length: epoch - 1 }, (_, index) => createRunId({ id, epoch: index + 1 }, step))
  return (await runner.recover(...earlier)) === 'succeeded'
}

/** Removes the records of a finished deployment's commands from their node. */
export async function forgetRuns(runner: Runner, { id, epoch }: Row, { state }: End): Promise<void> {
  // The deployment may have been retried since; its new runs are kept.
  const prefixes =
    state === 'succeeded' ? [`d${id}-`] : Array.from({ length: epoch }, (_, index) => `d${id}-${index + 1}-`)
  await runner.forget(...prefixes)
}
