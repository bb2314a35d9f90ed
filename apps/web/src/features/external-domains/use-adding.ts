import {
  comparedDomain,
  externalDomainsRoutes,
  type NewExternalDomain,
} from '@kustos/contract/external-domains'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { ApiError } from '../../platform/api-error.ts'
import { call } from '../../platform/client.ts'
import { mapConcurrent } from '../../platform/map-concurrent.ts'
import { errorText } from '../../platform/message-text.ts'
import { keyOf } from '../../platform/query.ts'
import { fieldErrors } from '../../ui/field-errors.ts'
import { useAbortOnUnmount } from '../../ui/use-abort-on-unmount.ts'
import type { Refusal, ValidLine } from './lines.ts'

const { createExternalDomain, listExternalDomains } = externalDomainsRoutes

/** Fields that all lines of a run share. */
export type SharedFields = Omit<NewExternalDomain, 'fqdn'>

export interface Outcome {
  readonly added: number
  readonly failed: number
  readonly unsent: number
  /** Whether a retry may succeed. */
  readonly isWorthRetrying: boolean
  /** The error that ended the run; null if it completed or was stopped. */
  readonly obstacle: ApiError | null
}

export interface Progress {
  readonly done: number
  readonly total: number
}

/** Milliseconds between updates of the screen, because all lines are checked again each time. */
const flushIntervalMs = 250

/** Whether an error concerns one line only. */
const isOfLine = ({ status }: ApiError) => status === 422 || status === 409 || status === 500

/**
 * Adds domains, one request each, a few at a time.
 * @param onAdded called with newly added domains in normalized form
 */
export function useAdding(onAdded: (domains: ReadonlySet<string>) => void) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failures, setFailures] = useState<ReadonlyMap<string, Refusal>>(new Map())
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const current = useRef<{ isStopped: boolean }>(undefined)
  const leaving = useAbortOnUnmount()

  const stop = useCallback(() => {
    if (current.current) current.current.isStopped = true
  }, [])

  async function add(lines: readonly ValidLine[], sharedFields: SharedFields): Promise<Outcome> {
    const run = { isStopped: false }
    current.current = run
    const total = lines.length
    const tried = new Set<string>()
    const refused = new Map<string, Refusal>()
    let fresh = new Set<string>()
    let [added, done] = [0, 0]
    let obstacle: ApiError | null = null

    function flush() {
      if (fresh.size > 0) onAdded(fresh)
      fresh = new Set()
      setProgress({ done, total })
    }
    async function send({ fqdn }: ValidLine) {
      if (run.isStopped || leaving.aborted) return
      const domain = comparedDomain(fqdn)
      tried.add(domain)
      try {
        await call(createExternalDomain, { body: { fqdn, ...sharedFields } }, leaving)
        fresh.add(domain)
        added++
        done++
      } catch (error) {
        if (leaving.aborted) return
        if (!(error instanceof ApiError)) throw error
        if (isOfLine(error)) {
          refused.set(domain, refusalOf(error))
          done++
        } else {
          obstacle ??= error
          run.isStopped = true
          // Signing in again remounts this screen: added domains must not come back with it.
          flush()
        }
      }
    }

    setOutcome(null)
    flush()
    const timer = setInterval(flush, flushIntervalMs)
    try {
      const [broken] = await mapConcurrent(lines, send, () => {})
      if (broken !== undefined) throw broken.error
    } finally {
      clearInterval(timer)
      flush()
      setFailures((before) => new Map([...[...before].filter(([domain]) => !tried.has(domain)), ...refused]))
      // The list decides which of the remaining lines are known.
      await client.invalidateQueries({ queryKey: keyOf(listExternalDomains) })
      setProgress(null)
    }
    const unsent = total - done
    const isWorthRetrying = unsent > 0 || [...refused.values()].some(({ isFinal }) => !isFinal)
    const came: Outcome = { added, failed: refused.size, unsent, isWorthRetrying, obstacle }
    setOutcome(came)
    return came
  }

  return { add, stop, progress, failures, outcome }
}

/** The server's message for a domain, with those for other fields, which nothing else shows. */
function refusalOf(error: ApiError): Refusal {
  const { shown, rest } = fieldErrors(error, ['fqdn'])
  const said = [...Object.values(shown), ...rest]
  return {
    message: said.length > 0 ? said.join(' ') : errorText(error),
    // A server error may be temporary, and errors of other fields are not the line's fault.
    isFinal: error.status !== 500 && rest.length === 0,
  }
}
