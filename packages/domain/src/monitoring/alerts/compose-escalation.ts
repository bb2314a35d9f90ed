import type { RoutedTargets } from '../../alert-routes/index.ts'
import { toEvent } from './alert-event.ts'
import { stateOf } from './compose.ts'
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

/** The message that nobody has acknowledged incidents, which have one cause if there are several. */
export function composeEscalation(
  open: readonly IncidentOpened[],
  targets: RoutedTargets,
  now: Date,
  publicUrl: string | null,
): ComposedAlert {
  const since = new Date(Math.min(...open.map(({ startedAt }) => startedAt.getTime())))
  const lasts = formatDuration(Math.floor((now.getTime() - since.getTime()) / 1000))
  const [one] = open
  const nodes = new Set(open.map(({ web }) => web.node?.name))
  const [node] = nodes
  const where = nodes.size === 1 && node !== undefined ? ` of ${node}` : ''
  const root = open.length === 1 ? one?.incident : one?.outage
  const content =
    one !== undefined && open.length === 1
      ? {
          title: `Not acknowledged: ${one.web.fqdn} is ${stateOf[one.kind]} for ${lasts}`,
          lines: [...webDetails(one.web), `Since: ${formatMoment(since)}`, `Reason: ${one.reason}`],
        }
      : {
          title: `Not acknowledged: ${open.length} webs${where} are down for ${lasts}`,
          lines: [
            formatCustomers(open.map(({ web }) => web)),
            `Since: ${formatMoment(since)}`,
            ...truncateList(open.map(({ web }) => `${web.fqdn} (${web.customer})`)),
          ],
        }
  return {
    content: { ...content, ...(root == null ? linksTo(publicUrl).list : linksTo(publicUrl).incident(root)) },
    channels: [],
    to: targets.channels,
    mails: targets.mails,
    isRoutedOnly: true,
    incidents: open.map(({ incident }) => incident),
    event: toEvent('opened', open, publicUrl),
  }
}
