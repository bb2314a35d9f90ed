import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { recall, remember } from './storage.ts'

const keyOf = (path: string) => `kustos.list-url.${path}`

/** Remembers a list's query string in this tab, so that links back to it restore its filters. */
export function useRememberListUrl() {
  const { pathname, search } = useLocation()
  useEffect(() => remember(keyOf(pathname), search, 'sessionStorage'), [pathname, search])
}

/** The path of a list with its last query string in this tab. */
export function getListUrl(path: string): string {
  const search = recall(keyOf(path), 'sessionStorage')
  return `${path}${typeof search === 'string' ? search : ''}`
}
