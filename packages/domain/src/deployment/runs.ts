import type { Runner } from '@kustos/clients/runner'
import type { Claim } from './claim.ts'
import type { End } from './lease.ts'
import type { Recipe } from './recipes.ts'
import type { ExecutionTools } from './tools.ts'

type Row = Pick<Claim['row'], 'id' | 'attempts'>

/** The id of a command on its machine, by which a later execution finds it. @param step its index in the recipe */
export const createRunId = ({ id, attempts }: Row, step: number | 'disk', attempt = attempts): string =>
  `d${id}-${attempt}-${step}`

/**
 * Stops the runs of a step.
 * @param latest the last attempt that may have started one
 * @returns whether one of them had succeeded
 */
export async function recoverRuns(runner: Runner, row: Row, step: number, latest: number): Promise<boolean> {
  for (let attempt = 1; attempt <= latest; attempt++) {
    if ((await runner.recover(createRunId(row, step, attempt))) === 'succeeded') return true
  }
  return false
}

/** Removes the records of a finished deployment's commands from their machines. */
export async function forgetRuns(
  { runners }: Pick<ExecutionTools, 'runners'>,
  recipe: Recipe,
  node: Parameters<ExecutionTools['runners']['node']>[0] | null,
  { id, attempts }: Row,
  { state }: End,
): Promise<void> {
  // The deployment may have been retried since; its new runs are kept.
  const prefix = state === 'succeeded' ? `d${id}-` : `d${id}-${attempts}-`
  if (node !== null) await runners.node(node).forget(prefix)
  if (recipe.some(({ place }) => place === 'controller')) await runners.controller.forget(prefix)
}
