/** A form's values after another user's changes were merged into them. */
export interface Merged<Values> {
  readonly values: Values
  /** What was typed into fields that both sides changed; `values` has the other side's. */
  readonly clashes: Partial<Values>
}

/** Values of forms are texts, numbers, flags, null and lists of these. */
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Object.keys forgets which keys it gives. */
const keysOf = <Values extends object>(values: Values) => Object.keys(values) as (keyof Values & string)[]

/** The fields that differ. */
export const changedFields = <Values extends object>(base: Values, mine: Values): readonly string[] =>
  keysOf(base).filter((key) => !same(base[key], mine[key]))

/**
 * Joins two changes of the same values: what one side left alone takes the other's. Where both changed a field, the
 * newest stands, and what was typed comes back under `clashes`.
 * @param base what both started from
 */
export function merge<Values extends object>(base: Values, mine: Values, newest: Values): Merged<Values> {
  const values: Values = { ...newest }
  const clashes: Partial<Values> = {}
  for (const key of keysOf(newest)) {
    if (same(mine[key], base[key]) || same(mine[key], newest[key])) continue
    if (same(base[key], newest[key])) values[key] = mine[key]
    else clashes[key] = mine[key]
  }
  return { values, clashes }
}

/** The same where what was typed wins: `mine`, as far as it differs from `base`, on top of `newest`. */
export function rebase<Values extends object>(base: Values, mine: Values, newest: Values): Values {
  const { values, clashes } = merge(base, mine, newest)
  return { ...values, ...clashes }
}
