import type { ConsentPhase, RequestedHost, TrackingVisit } from '@kustos/contract/tracking'
import type { AuditRecord } from '../record.ts'
import { formatList, formatMoment } from './format.ts'
import { cut, html, type Markup } from './html.ts'
import { serviceName } from './names.ts'
import type { ReportView } from './view.ts'

/** The phases in which nothing that needs consent may be loaded. */
const withoutConsent = ['before', 'refused', 'withdrawn'] as const satisfies readonly ConsentPhase[]

/** The result in words. @param own the record of the audit, which may confirm that with the evidence */
export function renderVerdict(view: ReportView, own: AuditRecord): Markup {
  const { texts, record, language } = view
  const { outcome, visit } = record.audit
  const isBad = visit?.asked.some(({ verdict }) => verdict === 'violation') ?? false
  const tone = isBad ? 'bad' : outcome === 'seen' && visit !== null && visit.refused !== null ? 'good' : ''
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
      : withoutConsent.map((phase) => describePhase(view, visit, phase))),
    ...(outcome === 'partial' ? [texts.verdict.partial] : []),
  ]
}

function describePhase({ texts, language }: ReportView, visit: TrackingVisit, phase: ConsentPhase): string {
  const { verdict } = texts
  const services = groupByService(
    visit.asked.filter((host) => host.phase === phase && host.verdict === 'violation'),
  )
  const name = verdict.phases[phase]
  if (services.size > 0) {
    const names = [...services].map(([service, hosts]) =>
      hosts.has(service) ? service : `${service} (${formatList([...hosts], language)})`,
    )
    return verdict.loaded(name, services.size, names.join(', '))
  }
  return wasTested(visit, phase) ? verdict.nothingLoaded(name) : verdict.notTested[phase]
}

function wasTested(visit: TrackingVisit, phase: ConsentPhase): boolean {
  if (phase === 'before') return true
  if (phase === 'refused') return visit.refused !== null
  const { asked, stored = [], screenshots = [] } = visit
  return [...asked, ...stored, ...screenshots].some((seen) => seen.phase === phase)
}

/** The hosts of each service; one that no list knows is named by its host. */
function groupByService(hosts: readonly RequestedHost[]): ReadonlyMap<string, ReadonlySet<string>> {
  const services = new Map<string, Set<string>>()
  for (const host of hosts) {
    const name = cut(serviceName(host) ?? host.host)
    services.set(name, (services.get(name) ?? new Set()).add(cut(host.host)))
  }
  return services
}
