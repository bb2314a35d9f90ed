import type { IncidentKind } from '@kustos/contract/monitoring'
import type { AlertEvent, AlertedIncident, AlertedWarning } from '@kustos/database/tables'
import type { IncidentOpened, IncidentResolved } from './event.ts'
import { linksTo } from './message-parts.ts'

export const severityOfKind: Readonly<Record<IncidentKind, AlertEvent['severity']>> = {
  down: 'critical',
  flapping: 'warning',
  moved: 'warning',
}

/** What an alert about incidents is for machines. */
export const toEvent = (
  type: AlertEvent['type'],
  all: readonly (IncidentOpened | IncidentResolved)[],
  publicUrl: string | null,
): AlertEvent => ({
  type,
  severity:
    type === 'resolved'
      ? 'info'
      : all.some(({ kind }) => severityOfKind[kind] === 'critical')
        ? 'critical'
        : 'warning',
  incidents: all.map((one) => toAlertedIncident(one, publicUrl)),
})

export const toAlertedIncident = (
  one: IncidentOpened | IncidentResolved,
  publicUrl: string | null,
): AlertedIncident => ({
  incident: one.incident,
  outage: one.outage,
  kind: one.kind,
  web: { id: one.web.id, fqdn: one.web.fqdn, customer: one.web.customer },
  node: one.web.node?.name ?? null,
  since: one.startedAt.toISOString(),
  until: 'endedAt' in one ? one.endedAt.toISOString() : null,
  reason: one.reason,
  url: linksTo(publicUrl).incident(one.incident).url ?? null,
})

/** What an alert about no incidents is for machines. */
export const toWarningEvent = (
  type: AlertEvent['type'],
  severity: AlertEvent['severity'],
  all: readonly Omit<AlertedWarning, 'key'>[],
): AlertEvent => ({
  type,
  severity,
  incidents: [],
  warnings: all.map((one) => ({
    ...one,
    key: [one.kind, one.id, one.name].filter((part) => part !== null).join('-'),
  })),
})
