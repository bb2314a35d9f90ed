import { recall, remember } from '../../app/storage.ts'

const key = 'kustos.users.address'

/** Keeps the filters and the page of the list, for the way back to it from a form. One for each tab. */
export function rememberListAddress(search: string) {
  remember(key, search, 'sessionStorage')
}

/** The list as this tab showed it last. */
export function listAddress(): string {
  const search = recall(key, 'sessionStorage')
  return `/admin/user-management${typeof search === 'string' ? search : ''}`
}
