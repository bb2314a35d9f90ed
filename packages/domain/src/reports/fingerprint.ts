import type { Message } from '@kustos/contract/messages'
import type { Finding, StoredItem, TrackingVisit } from '@kustos/contract/tracking'
import { canonicalJson, type RecordedAudit, sha256 } from './record.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * SHA-256 over what an audit has found, without what differs from visit to visit though nothing has changed: times, numbers of
 * requests, which of them came first, random parts of their addresses, screenshots.
 * @param circumstances anything else that a record of the same findings would have to share
 */
export function fingerprintOf(audit: RecordedAudit, circumstances: Members): string {
  const { engine, outcome, leads_to: leadsTo, problem_codes: problems, findings, visit } = audit
  return sha256(
    canonicalJson({
      ...circumstances,
      engine,
      outcome,
      ...(leadsTo !== undefined && { leads_to: leadsTo.replace(/[?#].*$/s, '') }),
      problems: unordered(problems.map(codesOf)),
      findings: unordered(findings.map(comparableFinding)),
      visit: visit && comparableVisit(visit),
    }),
  )
}

/** Of the evidence, only whether all of it waits for consent. Left out if not, as in fingerprints of releases that did not compare it. */
const comparableFinding = (finding: Finding) => ({
  ...without(finding, ['evidence']),
  ...(finding.evidence.every(({ gated }) => gated) && { gated: true }),
})

const comparableVisit = ({ asked, stored, signals, tcf, screenshots: _, ...rest }: TrackingVisit) => ({
  ...rest,
  asked: unordered(asked.map((host) => without(host, ['requests', 'url', 'method', 'kind', 'initiator']))),
  stored: unordered((stored ?? []).map(comparableItem)),
  signals: unordered(signals ?? []),
  tcf: unordered((tcf ?? []).map((consent) => without(consent, ['tc_string']))),
})

const comparableItem = ({ lifetime, set_by: setBy, ...item }: StoredItem) => ({
  ...item,
  lifetime: lifetime === null ? null : roughly(lifetime),
  set_by: setBy?.replace(/[?#].*$/s, '') ?? null,
})

const daySeconds = 86_400

/** Days, or hours where it is less than two days: it is counted from when it was seen. */
const roughly = (seconds: number) =>
  seconds < 2 * daySeconds ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / daySeconds)} d`

/** Reports name what could not be checked, and why. Of addresses, the parameters differ from visit to visit, and so do most numbers. */
const codesOf = ({ code, params = {} }: Message): unknown => [
  code,
  ...Object.entries(params).flatMap(([name, value]) => {
    if (typeof value === 'object') return [codesOf(value)]
    if (typeof value === 'string') return [`${name} ${value.replace(/[?#].*$/s, '')}`]
    return name === 'status' ? [`${name} ${value}`] : []
  }),
]

const without = (members: object, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

/** Each once, in an order that does not depend on when it was seen. */
const unordered = (values: readonly unknown[]): string[] => [...new Set(values.map(canonicalJson))].sort()
