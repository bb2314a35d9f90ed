import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'

/** The monitoring list. */
export const watchedWebsPath = '/monitoring/webs'

const downOnly = gridStateToQuery({
  ...initialGridState,
  filters: [{ column: 'state', join: 'all', conditions: [{ operator: 'any-of', values: ['down'] }] }],
  sets: ['probe'],
})

/** The monitoring list with those webs alone that are down. */
export const downWebsPath = `${watchedWebsPath}?${new URLSearchParams(downOnly.map(([name, value]) => [name, value]))}`
