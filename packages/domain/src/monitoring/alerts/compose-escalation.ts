import type { AlertContent } from '@kustos/database/tables'
import type { RoutedTargets } from '../../alert-routes/index.ts'
import { toEvent } from './alert-event.ts'
import { countByNode, maxRepeated, stateOf } from './compose.ts'
import type { IncidentOpened } from './event.ts'
import {
  type ComposedAlert,
  formatCustomers,
  formatDuration,
  formatMoment,
  linksTo,
  truncateList,
  webDetails,
} from './message-parts.ts'

/** The messages that nobody has acknowledged incidents: one for each incident or outage, or one for all of these if there are several. */
export function composeEscalations(
  open: readonly IncidentOpened[],
  targets: RoutedTargets,
  now: Date,
  publicUrl: string | null,
): readonly ComposedAlert[] {
  const causes = [...Map.groupBy(open, ({ incident, outage }) => outage ?? incident)]
  const composed =
    causes.length > maxRepeated
      ? [{ about: open, content: { ...causesMessage(open, now), ...linksTo(publicUrl).incidents } }]
      : causes.map(([root, about]) => ({
          about,
          content: { ...causeMessage(about, now), ...linksTo(publicUrl).incident(root) },
        }))
  return composed.map(({ about, content }) => ({
    content,
    channels: [],
    to: targets.channels,
    mails: targets.mails,
    isRoutedOnly: true,
    incidents: about.map(({ incident }) => incident),
    event: toEvent('opened', about, publicUrl),
  }))
}

/** @returns since when the first of them lasts, and for how long */
function durationOf(open: readonly IncidentOpened[], now: Date) {
  const since = new Date(Math.min(...open.map(({ startedAt }) => startedAt.getTime())))
  return { since, lasts: formatDuration(Math.floor((now.getTime() - since.getTime()) / 1000)) }
}

const listOf = (open: readonly IncidentOpened[]): readonly string[] =>
  truncateList(open.map(({ web }) => `${web.fqdn} (${web.customer})`))

/** About one web, or the outage of several. */
function causeMessage(open: readonly IncidentOpened[], now: Date): AlertContent {
  const { since, lasts } = durationOf(open, now)
  const [one, ...others] = open
  if (one !== undefined && others.length === 0)
    return {
      title: `Not acknowledged: ${one.web.fqdn} has been ${stateOf[one.kind]} for ${lasts}`,
      lines: [...webDetails(one.web), `Since: ${formatMoment(since)}`, `Reason: ${one.reason}`],
    }
  const nodes = new Set(open.map(({ web }) => web.node?.name))
  const [node] = nodes
  const where = nodes.size === 1 && node !== undefined ? ` of ${node}` : ''
  return {
    title: `Not acknowledged: ${open.length} webs${where} have been down for ${lasts}`,
    lines: [formatCustomers(open.map(({ web }) => web)), `Since: ${formatMoment(since)}`, ...listOf(open)],
  }
}

function causesMessage(open: readonly IncidentOpened[], now: Date): AlertContent {
  const { lasts } = durationOf(open, now)
  const [kind, ...others] = new Set(open.map((one) => one.kind))
  const state = kind === undefined || others.length > 0 ? 'affected' : stateOf[kind]
  return {
    title: `Not acknowledged: ${open.length} webs have been ${state} for up to ${lasts}`,
    lines: [formatCustomers(open.map(({ web }) => web)), countByNode(open), ...listOf(open)],
  }
}
