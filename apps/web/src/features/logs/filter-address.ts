import { romeOffset } from '@kustos/contract/grid'
import { logQuery } from '@kustos/contract/logs'
import type { LogFilter } from '../../app/logs/paths.ts'

export const filterNames = ['causer', 'log', 'subject_type', 'subject_id', 'from', 'to'] as const
export type FilterName = (typeof filterNames)[number]

interface ReadFilter {
  readonly filter: LogFilter
  /** What is wrong with a part of the address, which is left out of the filter. */
  readonly errors: Readonly<Partial<Record<FilterName, string>>>
}

/** The filter that an address asks for, under the names that the server knows. */
export function filterIn(address: URLSearchParams): ReadFilter {
  const asked = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = address.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
  const { error } = logQuery.safeParse(asked)
  const errors: Partial<Record<FilterName, string>> = {}
  for (const { path, message } of error?.issues ?? []) {
    const name = filterNames.find((one) => one === path[0])
    if (name !== undefined) errors[name] ??= message
  }
  // An id without its type says nothing.
  const isBad = (name: string) => name in errors || (name === 'subject_id' && 'subject_type' in errors)
  return { filter: Object.fromEntries(Object.entries(asked).filter(([name]) => !isBad(name))), errors }
}

/** The same address with a part of the filter set, or without it; it starts over at page 1. */
export function withFilter(address: URLSearchParams, name: FilterName, value: string): URLSearchParams {
  const next = new URLSearchParams(address)
  if (value === '') next.delete(name)
  else next.set(name, value)
  if (name === 'subject_type' && value === '') next.delete('subject_id')
  next.delete('page')
  next.delete('entry')
  return next
}

/** The same address without any filter of the server's. */
export function withoutFilter(address: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const name of [...filterNames, 'page', 'entry']) next.delete(name)
  return next
}

/** A time as inputs of the kind datetime-local hold it, in Europe/Rome; empty for none. */
export function toLocal(iso: string): string {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? '' : new Date(at + romeOffset(at)).toISOString().slice(0, 16)
}

/** The time that such an input means; empty for none. An hour that the clocks skip is the one after. */
export function fromLocal(local: string): string {
  const shown = Date.parse(`${local}Z`)
  if (Number.isNaN(shown)) return ''
  const near = shown - romeOffset(shown)
  return new Date(shown - romeOffset(near)).toISOString()
}
