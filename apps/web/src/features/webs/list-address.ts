const key = 'kustos.webs.address'

/** Keeps the filters and the page of the list, for the way back to it from a form. One for each tab. */
export function rememberListAddress(search: string) {
  sessionStorage.setItem(key, search)
}

/** The list as this tab showed it last. */
export const listAddress = (): string => `/hosting${sessionStorage.getItem(key) ?? ''}`
