import type { Runner } from '@kustos/clients/runner'
import type { Claim } from './claim.ts'
import type { End } from './hold.ts'
import type { Recipe } from './recipes.ts'
import type { ExecutionTools } from './tools.ts'

type Row = Pick<Claim['row'], 'id' | 'attempts'>

/** What a command is called on its machine, so that whoever comes later finds it there. @param step its index in the recipe */
export const runName = ({ id, attempts }: Row, step: number | 'disk', attempt = attempts): string =>
  `d${id}-${attempt}-${step}`

/**
 * Ends what still lives of a step's runs.
 * @param latest the last attempt that may have begun one
 * @returns whether one of them had ended well
 */
export async function recoverRuns(runner: Runner, row: Row, step: number, latest: number): Promise<boolean> {
  for (let attempt = 1; attempt <= latest; attempt++) {
    if ((await runner.recover(runName(row, step, attempt))) === 'succeeded') return true
  }
  return false
}

/** Lets the machines forget the commands of a deployment that has ended: its rows say how they ended. */
export async function forgetRuns(
  { runners }: Pick<ExecutionTools, 'runners'>,
  recipe: Recipe,
  node: Parameters<ExecutionTools['runners']['node']>[0] | null,
  { id, attempts }: Row,
  { state }: End,
): Promise<void> {
  // Somebody may have retried it by now: its new runs are not ours.
  const prefix = state === 'succeeded' ? `d${id}-` : `d${id}-${attempts}-`
  if (node !== null) await runners.node(node).forget(prefix)
  if (recipe.some(({ place }) => place === 'controller')) await runners.controller.forget(prefix)
}
