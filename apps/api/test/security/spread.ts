import type { Route } from '@kustos/contract/route'

/**
 * Gives each route some of the variants of a check that does not depend on the route, so that every route is checked and every
 * variant is tried by many: all of them for the first route of each method, one after the other for the rest.
 * @returns rows of name, route and variants for `it.each`
 */
export function spreadOver<Variant>(
  routes: readonly (readonly [string, Route])[],
  variants: readonly Variant[],
) {
  const methods = new Set<string>()
  return routes.map(([name, route], place) => {
    const isFirst = !methods.has(route.method)
    methods.add(route.method)
    return [name, route, isFirst ? variants : variants.slice(place % variants.length).slice(0, 1)] as const
  })
}
