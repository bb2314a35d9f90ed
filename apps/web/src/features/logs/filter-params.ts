import { signInEvents } from '@kustos/contract/log-words'
import {
  type LogFilterName as FilterName,
  logFilterNames,
  logQuery,
  signInsName,
} from '@kustos/contract/logs'
import type { LogFilter, LogQuery } from '../../entities/audit-log/paths.ts'
import { updateSearchParams } from '../../platform/search-params.ts'

/** @returns the filter in a URL without invalid parameters, and their errors */
export function parseFilter(searchParams: URLSearchParams) {
  const asked = Object.fromEntries(
    logFilterNames.flatMap((name) => {
      const value = searchParams.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
  const { error } = logQuery.safeParse(asked)
  const errors: Partial<Record<FilterName, string>> = {}
  for (const { path, message } of error?.issues ?? []) {
    const name = logFilterNames.find((one) => one === path[0])
    if (name !== undefined) errors[name] ??= message
  }
  // An id needs its type.
  const isBad = (name: string) => name in errors || (name === 'subject_id' && 'subject_type' in errors)
  const filter: LogFilter = Object.fromEntries(Object.entries(asked).filter(([name]) => !isBad(name)))
  return { filter, errors }
}

/** Sign-ins are hidden unless they are asked for. */
const hidesSignIns = (searchParams: URLSearchParams, { log, action, result }: LogFilter): boolean =>
  searchParams.get('sign_ins') !== '1' &&
  log !== 'auth' &&
  result !== 'refused' &&
  !signInEvents.some((event) => event === action)

/** What the server is asked for by a URL. */
export function readQuery(searchParams: URLSearchParams): LogQuery {
  const { filter } = parseFilter(searchParams)
  return hidesSignIns(searchParams, filter) ? { ...filter, without: signInsName } : filter
}

/** The current query parameters. The rendered ones may be older than what the grid has just written. */
export const readCurrentSearchParams = () => new URLSearchParams(window.location.search)

/** Sets parameters of the filter, or removes those that are empty, and goes to page 1. */
export function setFilters(
  searchParams: URLSearchParams,
  values: Partial<Record<FilterName, string>>,
): URLSearchParams {
  const changes = Object.entries(values).map(([name, value]) => [name, value === '' ? null : value])
  return updateSearchParams(searchParams, {
    ...Object.fromEntries(changes),
    ...(values.subject_type === '' && { subject_id: null }),
    page: null,
    entry: null,
  })
}

export const clearFilter = (searchParams: URLSearchParams): URLSearchParams =>
  updateSearchParams(
    searchParams,
    Object.fromEntries([...logFilterNames, 'page', 'entry'].map((name) => [name, null])),
  )
