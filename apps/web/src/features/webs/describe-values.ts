interface Words {
  readonly all: (value: string) => string
  readonly one: (value: string, count: number) => string
  readonly more: (count: number) => string
}

/** The most frequent values that are named. */
const maxNamed = 3

/** Says what several webs have in a field: "All: ALPEN", or "BERG (5), ALPEN (2), and 3 more values". */
export function describeValues(values: readonly string[], { all, one, more }: Words): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  const [first] = sorted
  if (sorted.length === 1 && first) return all(first[0])
  const named = sorted.slice(0, maxNamed).map(([value, count]) => one(value, count))
  const rest = sorted.length - named.length
  return [...named, ...(rest > 0 ? [more(rest)] : [])].join(', ')
}
