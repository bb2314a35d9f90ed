type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Bitbucket's partial responses: `a,b.c` keeps only these fields, `-a` removes a field, `+a` adds one to the default ones, `*`
 * is any field. Paths apply to each item of a list.
 */
export function selectFields(value: Json, fields: string | null): Json {
  if (fields === null || fields.trim() === '') return value
  const paths = fields.split(',').map((path) => path.trim())
  const removed = paths.filter((path) => path.startsWith('-')).map((path) => path.slice(1).split('.'))
  const kept = paths.filter((path) => !/^[-+]/.test(path)).map((path) => path.split('.'))
  return removed.reduce(remove, kept.length === 0 ? value : keep(value, kept))
}

const matches = (pattern: string | undefined, key: string) => pattern === '*' || pattern === key

function keep(value: Json, paths: readonly string[][]): Json {
  if (isList(value)) return value.map((item) => keep(item, paths))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const below = paths.filter(([first]) => matches(first, key)).map(([, ...rest]) => rest)
      if (below.length === 0) return []
      return [[key, below.some((rest) => rest.length === 0) ? inner : keep(inner, below)]]
    }),
  )
}

function remove(value: Json, path: readonly string[]): Json {
  if (isList(value)) return value.map((item) => remove(item, path))
  if (value === null || typeof value !== 'object') return value
  const [first, ...rest] = path
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (!matches(first, key)) return [[key, inner]]
      return rest.length === 0 ? [] : [[key, remove(inner, rest)]]
    }),
  )
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
