import { hasViolation, isClean, storedVerdict } from '@kustos/contract/tracker-storage'
import {
  type ConsentPhase,
  type ConsentVerdict,
  hasCollected,
  isImpossible,
  type RequestedHost,
  type StoredItem,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import type { AuditRecord } from '../record.ts'
import { formatList, formatMoment } from './format.ts'
import { cut, html, type Markup } from './html.ts'
import { serviceName, storageOwner } from './names.ts'
import type { ReportView } from './view.ts'

/** The phases in which nothing that needs consent may be loaded. */
const withoutConsent = ['before', 'refused', 'withdrawn'] as const satisfies readonly ConsentPhase[]

/** The result in words. @param own the record of the audit, which may confirm that with the evidence */
export function renderVerdict(view: ReportView, own: AuditRecord): Markup {
  const { texts, record, language } = view
  const { outcome, visit } = record.audit
  const isBad = visit !== null && hasViolation(visit)
  const isGood = outcome === 'seen' && visit !== null && hasCollected(visit, 'refused') && isClean(visit)
  const tone = isBad ? 'bad' : isGood ? 'good' : ''
  const moment = (at: AuditRecord) => formatMoment(at.recorded_at, language)
  return html`<section><h2>${texts.verdict.heading}</h2><div class="${`verdict ${tone}`}">
${describe(view).map((sentence) => html`<p>${sentence}</p>`)}</div>
${own.number !== record.number && html`<p>${texts.verdict.confirmed(moment(own), moment(record), record.number)}</p>`}</section>`
}

function describe(view: ReportView): readonly string[] {
  const { texts, record } = view
  const { outcome, visit } = record.audit
  if (outcome === 'failed') return [texts.verdict.failed]
  return [
    ...(visit === null
      ? [texts.verdict.notOpened]
      : withoutConsent.flatMap((phase) => describePhase(view, visit, phase))),
    ...(outcome === 'partial' ? [texts.verdict.partial] : []),
  ]
}

function describePhase(
  { texts, language, record }: ReportView,
  visit: TrackingVisit,
  phase: (typeof withoutConsent)[number],
): readonly string[] {
  const { verdict } = texts
  const name = verdict.phases[phase]
  const listNames = (services: Services) =>
    [...services]
      .map(([service, details]) =>
        details.has(service) ? service : `${service} (${formatList([...details], language)})`,
      )
      .join(', ')
  const requestsOf = (kind: ConsentVerdict) =>
    visit.asked.filter((host) => host.phase === phase && host.verdict === kind)
  const storedOf = (kind: ConsentVerdict) =>
    (visit.stored ?? []).filter((item) => item.phase === phase && storedVerdict(item) === kind)
  const loaded = groupByService(requestsOf('violation'))
  const stored = groupStored(storedOf('violation'))
  const denied = new Map(
    [...groupByService(requestsOf('denied'))].filter(([service]) => !loaded.has(service)),
  )
  const isWithdrawn = phase === 'withdrawn'
  const asked = groupByService(requestsOf('review'))
  const toReview = isWithdrawn ? asked : groupStored(storedOf('review'), asked)
  const left = groupStored(isWithdrawn ? storedOf('review') : [])
  const describeNothing = () => {
    if (hasCollected(visit, phase))
      return denied.size > 0 ? verdict.nothingElseLoaded(name) : verdict.nothingLoaded(name)
    const hasBegun =
      phase === 'before' ? visit.asked.some((host) => host.phase === phase) : visit[phase] != null
    if (hasBegun) return verdict.partlyTested(name)
    const isComplete = record.audit.outcome === 'seen'
    return phase === 'refused' && isImpossible(visit, phase, isComplete)
      ? verdict.notRefused
      : verdict.notTested[phase]
  }
  return [
    ...(denied.size > 0 ? [verdict.denied(name, denied.size, listNames(denied))] : []),
    loaded.size > 0 ? verdict.loaded(name, loaded.size, listNames(loaded)) : describeNothing(),
    ...(stored.size > 0 ? [verdict.stored(name, stored.size, listNames(stored))] : []),
    ...(toReview.size > 0 ? [verdict.toReview(name, toReview.size, listNames(toReview))] : []),
    ...(left.size > 0 ? [verdict.left(name, left.size, listNames(left))] : []),
  ]
}

type Services = ReadonlyMap<string, ReadonlySet<string>>

/** The names of what each service has stored, after what is known of others. */
function groupStored(items: readonly StoredItem[], known: Services = new Map()): Services {
  const services = new Map([...known].map(([service, details]) => [service, new Set(details)]))
  for (const item of items) {
    const name = cut(storageOwner(item) ?? item.host)
    services.set(name, (services.get(name) ?? new Set()).add(cut(item.name)))
  }
  return services
}

/** The hosts of each service; one that no list knows is named by its host. */
function groupByService(hosts: readonly RequestedHost[]): Services {
  const services = new Map<string, Set<string>>()
  for (const host of hosts) {
    const name = cut(serviceName(host) ?? host.host)
    services.set(name, (services.get(name) ?? new Set()).add(cut(host.host)))
  }
  return services
}
