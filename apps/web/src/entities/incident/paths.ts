import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'

export const incidentPath = (id: number) => `/monitoring/incidents/${id}`

export const monitoredWebsPath = '/monitoring/webs'

const downOnly = gridStateToQuery({
  ...initialGridState,
  sets: ['reason'],
  filters: [{ column: 'state', join: 'all', conditions: [{ operator: 'any-of', values: ['down'] }] }],
})

/** The monitoring list with the webs that are down, and why they are. */
export const downWebsPath = `${monitoredWebsPath}?${new URLSearchParams(downOnly.map(([name, value]) => [name, value]))}`
