import {
  externalDomainsRoutes,
  type NewExternalDomain,
  normalizeDomain,
} from '@kustos/contract/external-domains'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { ApiError } from '../../platform/api-error.ts'
import { call } from '../../platform/client.ts'
import { mapConcurrent } from '../../platform/map-concurrent.ts'
import { errorText } from '../../platform/message-text.ts'
import { keyOf } from '../../platform/query.ts'
import { fieldErrors } from '../../ui/contract-form/rules.ts'
import { useAbortOnUnmount } from '../../ui/use-abort-on-unmount.ts'
import type { Refusal, SendableLine } from './lines.ts'

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
  readonly blockingError: ApiError | null
}

export interface Progress {
  readonly done: number
  readonly total: number
}

/** Milliseconds between updates of the screen, because all lines are checked again each time. */
const flushIntervalMs = 250

/** Whether an error concerns one line only. */
const concernsOneLine = ({ status }: ApiError) => status === 422 || status === 409 || status === 500

/**
 * Adds domains, one request each, a few at a time.
 * @param onAdded called with newly added domains in normalized form
 */
export function useAddDomains(onAdded: (domains: ReadonlySet<string>) => void) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failures, setFailures] = useState<ReadonlyMap<string, Refusal>>(new Map())
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const currentRun = useRef<{ isStopped: boolean }>(undefined)
  const unmountSignal = useAbortOnUnmount()

  const stop = useCallback(() => {
    if (currentRun.current) currentRun.current.isStopped = true
  }, [])

  async function add(lines: readonly SendableLine[], sharedFields: SharedFields): Promise<Outcome> {
    const run = { isStopped: false }
    currentRun.current = run
    const total = lines.length
    const attempted = new Set<string>()
    const refusals = new Map<string, Refusal>()
    let newlyAdded = new Set<string>()
    let added = 0
    let blockingError: ApiError | null = null

    function flush() {
      if (newlyAdded.size > 0) onAdded(newlyAdded)
      newlyAdded = new Set()
      setProgress({ done: added + refusals.size, total })
    }
    async function send({ fqdn }: SendableLine) {
      if (run.isStopped || unmountSignal.aborted) return
      const domain = normalizeDomain(fqdn)
      attempted.add(domain)
      try {
        await call(createExternalDomain, { body: { fqdn, ...sharedFields } }, unmountSignal)
        newlyAdded.add(domain)
        added++
      } catch (error) {
        if (unmountSignal.aborted) return
        if (!(error instanceof ApiError)) throw error
        if (concernsOneLine(error)) refusals.set(domain, refusalOf(error))
        else {
          blockingError ??= error
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
      const [unexpected] = await mapConcurrent(lines, send, () => {})
      if (unexpected !== undefined) throw unexpected.error
    } finally {
      clearInterval(timer)
      flush()
      setFailures(
        (previous) => new Map([...[...previous].filter(([domain]) => !attempted.has(domain)), ...refusals]),
      )
      // The list decides which of the remaining lines are duplicates.
      await client.invalidateQueries({ queryKey: keyOf(listExternalDomains) })
      setProgress(null)
    }
    const unsent = total - added - refusals.size
    const isWorthRetrying = unsent > 0 || [...refusals.values()].some(({ isFinal }) => !isFinal)
    const result: Outcome = { added, failed: refusals.size, unsent, isWorthRetrying, blockingError }
    setOutcome(result)
    return result
  }

  return { add, stop, progress, failures, outcome }
}

/** The server's message for a domain, with those for other fields, which nothing else shows. */
function refusalOf(error: ApiError): Refusal {
  const { shown, rest } = fieldErrors(error, ['fqdn'])
  const sentences = [...Object.values(shown), ...rest]
  return {
    message: sentences.length > 0 ? sentences.join(' ') : errorText(error),
    // A server error may be temporary, and errors of other fields are not the line's fault.
    isFinal: error.status !== 500 && rest.length === 0,
  }
}
