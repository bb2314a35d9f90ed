import { recall, remember } from '../../app/storage.ts'

const listPath = '/hosting/tracking'
export const pagePath = (id: number) => `${listPath}/${id}`

const key = 'kustos.tracking.address'

/** Keeps the filters and the page of the list, for the way back to it. One for each tab. */
export function rememberListAddress(search: string) {
  remember(key, search, 'sessionStorage')
}

/** The list as this tab showed it last. */
export function listAddress(): string {
  const search = recall(key, 'sessionStorage')
  return `${listPath}${typeof search === 'string' ? search : ''}`
}
