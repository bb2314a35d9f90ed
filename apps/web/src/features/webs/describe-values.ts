interface Words {
  readonly all: (value: string) => string
  readonly one: (value: string, count: number) => string
  readonly more: (count: number) => string
}

/** The most frequent values that are named. */
const maxNamed = 3

/** Says what several webs have in a field: "All: ALPEN", or "BERG (5), ALPEN (2), and 3 more values". */
export function describeValues(values: readonly string[], words: Words): string {
  const counts = countEach(values)
  const [only, ...others] = counts.keys()
  return only !== undefined && others.length === 0 ? words.all(only) : nameMost(counts, words)
}

/**
 * Says what several webs have in a field with several values: "All: Shop, TYPO3 · Blog (5), Forum (2), and 3 more values".
 * @param lists none of which has a value twice
 */
export function describeLists(lists: readonly (readonly string[])[], words: Words): string {
  const counts = countEach(lists.flat())
  const isShared = ([, count]: readonly [string, number]) => count === lists.length
  const shared = [...counts].filter(isShared)
  const others = [...counts].filter((counted) => !isShared(counted))
  if (counts.size === 0) return words.all('')
  return [
    ...(shared.length > 0 ? [words.all(shared.map(([value]) => value).join(', '))] : []),
    ...(others.length > 0 ? [nameMost(new Map(others), words)] : []),
  ].join(' · ')
}

function countEach(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function nameMost(counts: ReadonlyMap<string, number>, { one, more }: Words): string {
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  const named = sorted.slice(0, maxNamed).map(([value, count]) => one(value, count))
  const rest = sorted.length - named.length
  return [...named, ...(rest > 0 ? [more(rest)] : [])].join(', ')
}
