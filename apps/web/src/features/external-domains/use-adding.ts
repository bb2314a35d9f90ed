import {
  comparedDomain,
  externalDomainsRoutes,
  type NewExternalDomain,
} from '@kustos/contract/external-domains'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../app/api-error.ts'
import { call } from '../../app/client.ts'
import { keyOf } from '../../app/query.ts'
import { sentence } from '../../app/sentences.ts'
import { withEach } from '../../app/with-each.ts'
import { fieldErrors } from '../../ui/field-errors.ts'
import type { Refusal, ValidLine } from './lines.ts'

const { createExternalDomain, listExternalDomains } = externalDomainsRoutes

/** What all lines of a run have in common. */
export type Belonging = Omit<NewExternalDomain, 'fqdn'>

export interface Outcome {
  readonly added: number
  readonly failed: number
  readonly unsent: number
  /** Whether what was left behind may go through once more as it stands. */
  readonly isWorthRetrying: boolean
  /** What would have befallen every further line alike; null where the run came to its end, or was stopped. */
  readonly obstacle: ApiError | null
}

export interface Progress {
  readonly done: number
  readonly total: number
}

/** How often the screen hears of what was added, in milliseconds: a thousand lines are judged anew each time. */
const flushInterval = 250

/** Whether an answer is about the line alone; any other would be the same for the next one. */
const isOfLine = ({ status }: ApiError) => status === 422 || status === 409 || status === 500

/**
 * Adds domains, one call for each and a few at a time.
 * @param onAdded hears which were added since the last time, in their compared form
 */
export function useAdding(onAdded: (domains: ReadonlySet<string>) => void) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failures, setFailures] = useState<ReadonlyMap<string, Refusal>>(new Map())
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const current = useRef<{ isStopped: boolean }>(undefined)

  const stop = useCallback(() => {
    if (current.current) current.current.isStopped = true
  }, [])
  // Whoever leaves the screen has agreed to leave the rest unsent.
  useEffect(() => stop, [stop])

  async function add(lines: readonly ValidLine[], belonging: Belonging): Promise<Outcome> {
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
      if (run.isStopped) return
      const domain = comparedDomain(fqdn)
      tried.add(domain)
      try {
        await call(createExternalDomain, { body: { fqdn, ...belonging } })
        fresh.add(domain)
        added++
        done++
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (isOfLine(error)) {
          refused.set(domain, refusalOf(error))
          done++
        } else {
          obstacle ??= error
          run.isStopped = true
          // The sign-in that follows takes this screen away: nothing that was added may come back with it.
          flush()
        }
      }
    }

    setOutcome(null)
    flush()
    const timer = setInterval(flush, flushInterval)
    try {
      const [broken] = await withEach(lines, send, () => {})
      if (broken !== undefined) throw broken.error
    } finally {
      clearInterval(timer)
      flush()
      setFailures((before) => new Map([...[...before].filter(([domain]) => !tried.has(domain)), ...refused]))
      // What is listed decides on the verdicts of what is left.
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

/** What the server says of a domain; what it says of the other fields stands there too, since nothing else shows it. */
function refusalOf(error: ApiError): Refusal {
  const { shown, rest } = fieldErrors(error, ['fqdn'])
  const said = [...Object.values(shown), ...rest]
  return {
    message: said.length > 0 ? said.join(' ') : sentence(error.error ?? error.message),
    // A failure may pass; what is said of other fields is not the line's fault.
    isFinal: error.status !== 500 && rest.length === 0,
  }
}
