import type { PagerDutyTrigger } from '@kustos/clients/pagerduty'
import type { IncidentKind } from '@kustos/contract/monitoring'
import { severityOfKind } from './alert-event.ts'
import type { KnownIncident } from './channel-incidents.ts'
import { linksTo, truncateList } from './message-parts.ts'

const words: Readonly<Record<IncidentKind, { readonly one: string; readonly several: string }>> = {
  down: { one: 'is down', several: 'are down' },
  flapping: { one: 'is flapping', several: 'are flapping' },
  moved: { one: 'no longer points here', several: 'no longer point here' },
}

/** The event that opens an alert about incidents, at least one. */
export function composeTrigger(
  rows: readonly KnownIncident[],
  kind: IncidentKind,
  publicUrl: string | null,
): PagerDutyTrigger {
  const [row, ...others] = rows
  if (row === undefined) throw new Error('An alert needs at least one incident')
  return others.length === 0 ? aboutOne(row, kind, publicUrl) : aboutSeveral(rows, kind, publicUrl)
}

const aboutOne = (
  { incident, fqdn, customer, node }: KnownIncident,
  kind: IncidentKind,
  publicUrl: string | null,
): PagerDutyTrigger => ({
  summary: `${fqdn} ${words[kind].one}: ${incident.reason}`,
  source: fqdn,
  severity: severityOfKind[kind],
  at: incident.started_at,
  component: node,
  group: customer,
  kind,
  details: {
    incident: incident.id,
    outage: incident.outage_id,
    web: fqdn,
    customer,
    node,
    since: incident.started_at.toISOString(),
    reason: incident.reason,
  },
  url: linksTo(publicUrl).incident(incident.id).url,
})

function aboutSeveral(
  rows: readonly KnownIncident[],
  kind: IncidentKind,
  publicUrl: string | null,
): PagerDutyTrigger {
  const links = linksTo(publicUrl)
  const node = findCommon(rows.map((row) => row.node))
  const outage = findCommon(rows.map(({ incident }) => incident.outage_id))
  const starts = rows.map(({ incident }) => incident.started_at.getTime())
  const at = new Date(starts.reduce((first, start) => Math.min(first, start)))
  return {
    summary: `${node === null ? '' : `${node}: `}${rows.length} webs ${words[kind].several}`,
    source: node ?? 'kustos',
    severity: severityOfKind[kind],
    at,
    component: node,
    group: findCommon(rows.map(({ customer }) => customer)),
    kind,
    details: {
      outage,
      node,
      since: at.toISOString(),
      webs: truncateList(
        rows.map(({ fqdn, customer, incident }) => `${fqdn} (${customer}): ${incident.reason}`),
      ),
    },
    url: (outage === null ? links.incidents : links.incident(outage)).url,
  }
}

/** What all have; null if they differ. */
function findCommon<T>(values: readonly (T | null)[]): T | null {
  const [value = null, ...others] = new Set(values)
  return others.length === 0 ? value : null
}
