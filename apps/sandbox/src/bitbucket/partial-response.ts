type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Bitbucket's partial responses: of an object and of the items of its lists, `a,b.c` keeps only these fields. Null keeps
 * all.
 */
export const selectFields = (value: Json, fields: string | null): Json =>
  fields === null
    ? value
    : keep(
        value,
        fields.split(',').map((path) => path.split('.')),
      )

function keep(value: Json, paths: readonly string[][]): Json {
  if (isList(value)) return value.map((item) => keep(item, paths))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const below = paths.filter(([first]) => first === key).map(([, ...rest]) => rest)
      if (below.length === 0) return []
      return [[key, below.some((rest) => rest.length === 0) ? inner : keep(inner, below)]]
    }),
  )
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
