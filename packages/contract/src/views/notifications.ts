import type { ListName } from './lists.ts'

/** How a user is notified of rows that enter a view. All but `off` show it in the console, too. */
export const deliveries = ['off', 'console', 'daily', 'immediate'] as const
export type Delivery = (typeof deliveries)[number]

/**
 * The lists whose filters the server evaluates, and whether it also knows the labels that a search finds. Of the others it has
 * only the latest rows, or some for each user; of incidents, alerts tell.
 */
const evaluated = {
  webs: { hasSearch: true },
  customers: { hasSearch: true },
  tracking: { hasSearch: true },
  'third-parties': { hasSearch: false },
  nodes: { hasSearch: false },
  bitbucket: { hasSearch: true },
  'all-domains': { hasSearch: false },
  'external-domains': { hasSearch: false },
  'own-domains': { hasSearch: false },
  emails: { hasSearch: true },
  monitoring: { hasSearch: false },
  users: { hasSearch: false },
} as const satisfies { readonly [List in ListName]?: { readonly hasSearch: boolean } }

export type EvaluatedList = keyof typeof evaluated
export const evaluatedLists = Object.keys(evaluated) as [EvaluatedList, ...EvaluatedList[]]

const isEvaluated = (list: ListName): list is EvaluatedList => list in evaluated

/** The parameters of a view's query. */
type Query = readonly (readonly [string, string])[]

/** Whether the rows of a view depend on the texts of labels, and so on the language. */
export const hasSearch = (query: Query): boolean =>
  query.some(([key, value]) => key === 'q' && value.trim() !== '')

/** Why nobody can be notified of a view; null if users can. */
export function notificationObstacle(list: ListName, query: Query): 'list' | 'search' | null {
  if (!isEvaluated(list)) return 'list'
  return evaluated[list].hasSearch || !hasSearch(query) ? null : 'search'
}

/** The parameters that determine the rows of a view, in one order: not its own order, nor its columns unless they are searched. */
export function rowParams(query: Query): Query {
  const ignored = ['sort', 'size', 'page', ...(hasSearch(query) ? [] : ['sets', 'q', 'regex'])]
  return query.filter(([key]) => !ignored.includes(key)).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

/** The same as text, for evaluations of a view: with another one, an evaluation begins anew. */
export const filterKey = (query: Query): string => JSON.stringify(rowParams(query))
