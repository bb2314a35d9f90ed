import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'

export const trackingPath = (id: number) => `/hosting/tracking/${id}`

export const thirdPartiesPath = '/hosting/third-parties'

/** The list of third parties with one host. */
export const thirdPartyPath = (host: string) => `${thirdPartiesPath}?${new URLSearchParams({ q: host })}`

/** The tracking list with the webs that load a host, a service or a cookie. */
export function loadsPath(name: string): string {
  const conditions = [{ operator: 'any-of', values: [name] }] as const
  const filters = [{ column: 'third_parties', join: 'all', conditions }] as const
  const query = gridStateToQuery({ ...initialGridState, filters })
  return `/hosting/tracking?${new URLSearchParams(query)}`
}
