import type { GridState } from '@kustos/contract/grid'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The URL's new state, with those parts of ours that differ from its old one. */
export function mergeGridState(before: GridState, ours: GridState, theirs: GridState): GridState {
  const changed = Object.entries(ours).filter(
    ([part, value]) => !isSame(value, before[part as keyof GridState]),
  )
  return { ...theirs, ...Object.fromEntries(changed) }
}
