type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Bitbucket's partial answers: `a,b.c` leaves only these, `-a` takes away, `+a` adds to what is there anyway, and `*`
 * stands for every field. Lists are passed through to their items.
 */
export function partial(answer: Json, fields: string | null): Json {
  if (fields === null || fields.trim() === '') return answer
  const paths = fields.split(',').map((path) => path.trim())
  const without = paths.filter((path) => path.startsWith('-')).map((path) => path.slice(1).split('.'))
  const wanted = paths.filter((path) => !/^[-+]/.test(path)).map((path) => path.split('.'))
  const picked = wanted.length === 0 ? answer : only(answer, wanted)
  return without.reduce(drop, picked)
}

const matches = (pattern: string | undefined, key: string) => pattern === '*' || pattern === key

function only(value: Json, paths: readonly string[][]): Json {
  if (isList(value)) return value.map((item) => only(item, paths))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const mine = paths.filter(([first]) => matches(first, key)).map(([, ...rest]) => rest)
      if (mine.length === 0) return []
      return [[key, mine.some((rest) => rest.length === 0) ? inner : only(inner, mine)]]
    }),
  )
}

function drop(value: Json, [first, ...rest]: readonly string[]): Json {
  if (isList(value)) return value.map((item) => drop(item, first === undefined ? [] : [first, ...rest]))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (!matches(first, key)) return [[key, inner]]
      return rest.length === 0 ? [] : [[key, drop(inner, rest)]]
    }),
  )
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
