import { useCallback } from 'react'
import { type NavigateOptions, useSearchParams } from 'react-router-dom'

/** Query parameters to set; null removes one. */
export type SearchParamChanges = Readonly<Record<string, string | null>>

export function updateSearchParams(params: URLSearchParams, changes: SearchParamChanges): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next
}

export function useUpdatableSearchParams() {
  const [params, setParams] = useSearchParams()
  const update = useCallback(
    (changes: SearchParamChanges, options?: NavigateOptions) =>
      setParams((current) => updateSearchParams(current, changes), options),
    [setParams],
  )
  return [params, update] as const
}
