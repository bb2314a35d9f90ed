/** A form's values after another user's changes were merged into them. */
export interface Merged<Values> {
  readonly values: Values
  /** The user's input in fields that both sides changed; `values` has the other side's. */
  readonly conflicts: Partial<Values>
}

/** Form values are texts, numbers, booleans, null and lists of these. */
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const listKeys = <Values extends object>(values: Values) => Object.keys(values) as (keyof Values & string)[]

export const changedFields = <Values extends object>(base: Values, mine: Values): readonly string[] =>
  listKeys(base).filter((key) => !same(base[key], mine[key]))

/** A three-way merge. If both sides changed a field, theirs is used, and mine is returned in `conflicts`. */
export function merge<Values extends object>(base: Values, mine: Values, theirs: Values): Merged<Values> {
  const values: Values = { ...theirs }
  const conflicts: Partial<Values> = {}
  for (const key of listKeys(theirs)) {
    if (same(mine[key], base[key]) || same(mine[key], theirs[key])) continue
    if (same(base[key], theirs[key])) values[key] = mine[key]
    else conflicts[key] = mine[key]
  }
  return { values, conflicts }
}

/**
 * The conflicts after another merge: also those of earlier ones about which the user has not decided.
 * @param earlier the conflicts before it
 */
export function addConflicts<Values extends object>(
  { values, conflicts }: Merged<Values>,
  earlier: Partial<Values>,
): Partial<Values> {
  const undecided = Object.entries(earlier).filter(([key, mine]) => !same(mine, values[key as keyof Values]))
  return { ...Object.fromEntries(undecided), ...conflicts }
}

/** Like `merge`, but `mine` wins. */
export function rebase<Values extends object>(base: Values, mine: Values, theirs: Values): Values {
  const { values, conflicts } = merge(base, mine, theirs)
  return { ...values, ...conflicts }
}
