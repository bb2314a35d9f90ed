import type { AlertContent } from '@kustos/database/tables'
import { minWebsOfOutage } from '../outage.ts'
import type { AlertedWeb, IncidentOpened, IncidentResolved, RoundNotifications } from './event.ts'
import {
  type ComposedAlert,
  formatCustomers,
  formatDuration,
  formatMoment,
  linksTo,
  toComposedAlert,
  truncateList,
  webDetails,
} from './message-parts.ts'

/** More webs than this are reported in one message. */
const maxMessages = 20

type Node = NonNullable<AlertedWeb['node']>

/** The texts for opened or for resolved incidents. */
interface NewsFormat<One extends IncidentOpened> {
  readonly state: 'down' | 'up again'
  /** Whether enough webs of the node are affected to report the node. */
  isOfNode(node: Node): boolean
  ofNode(node: Node, all: readonly One[]): readonly string[]
  /** Follows a web's name in a list. */
  inList(one: One): string
  single(one: One): AlertContent
}

/**
 * The messages of a round: one for each node whose webs went down (or up) together, and for each other web, or one for all
 * of these if there are many.
 */
export function compose(
  { opened, resolved, nodes }: RoundNotifications,
  publicUrl: string | null,
): readonly ComposedAlert[] {
  return [
    ...composeNews(opened, publicUrl, {
      state: 'down',
      isOfNode({ id }) {
        const seen = nodes.get(id)
        return seen !== undefined && seen.failed * 2 >= seen.probed
      },
      ofNode({ id }, all) {
        const since = Math.min(...all.map(({ startedAt }) => startedAt.getTime()))
        const { failed = all.length, probed = all.length } = nodes.get(id) ?? {}
        return [
          `Since: ${formatMoment(new Date(since))}`,
          `Probed there since then: ${probed}, of which failed: ${failed}`,
        ]
      },
      inList: (one) => `: ${outcome(one)}`,
      single: openedMessage,
    }),
    ...composeNews(resolved, publicUrl, {
      state: 'up again',
      isOfNode: () => true,
      ofNode: () => [],
      inList: ({ downtime }) => `, after ${formatDuration(downtime)}`,
      single: resolvedMessage,
    }),
  ]
}

function composeNews<One extends IncidentOpened>(
  all: readonly One[],
  publicUrl: string | null,
  format: NewsFormat<One>,
): readonly ComposedAlert[] {
  const links = linksTo(publicUrl)
  const { groups, rest } = byNode(all, (node) => format.isOfNode(node))
  const list = (webs: readonly One[]) =>
    truncateList(webs.map((one) => `${one.web.fqdn} (${one.web.customer})${format.inList(one)}`))
  const about = (webs: readonly One[], title: string, lines: readonly string[]) => {
    const outages = [...new Set(webs.map(({ outage }) => outage))]
    const [outage = null] = outages
    const link = outages.length === 1 && outage !== null ? links.incident(outage) : links.list
    const content = { title, lines: [...lines, ...list(webs)], ...link }
    return {
      ...toComposedAlert(
        webs.map(({ web }) => web),
        content,
      ),
      incidents: webs.map(({ incident }) => incident),
    }
  }
  const single = (one: One) => ({
    ...toComposedAlert([one.web], { ...format.single(one), ...links.incident(one.incident) }),
    incidents: [one.incident],
  })
  return [
    ...groups.map(({ node, webs }) =>
      about(webs, `${node.name}: ${webs.length} webs are ${format.state}`, [
        formatCustomers(webs.map(({ web }) => web)),
        ...format.ofNode(node, webs),
      ]),
    ),
    ...(rest.length > maxMessages
      ? [about(rest, `${rest.length} webs are ${format.state}`, [countByNode(rest)])]
      : rest.map(single)),
  ]
}

/** Groups webs that are affected together with others of their node. */
function byNode<One extends IncidentOpened>(all: readonly One[], isOfNode: (node: Node) => boolean) {
  const onNodes = Map.groupBy(all, ({ web }) => web.node?.id ?? null)
  const groups = [...onNodes.values()].flatMap((webs) => {
    const node = webs[0]?.web.node ?? null
    return node !== null && webs.length >= minWebsOfOutage && isOfNode(node) ? [{ node, webs }] : []
  })
  const grouped = new Set(groups.flatMap(({ webs }) => webs))
  return { groups, rest: all.filter((one) => !grouped.has(one)) }
}

function countByNode(all: readonly IncidentOpened[]): string {
  const names = Map.groupBy(all, ({ web }) => web.node?.name ?? 'no node')
  const shown = [...names]
    .map(([name, webs]) => [name, webs.length] as const)
    .toSorted(([, a], [, b]) => b - a)
  return `By node: ${truncateList(shown.map(([name, webs]) => `${name} ${webs}`)).join(', ')}`
}

/** The status or, without a response, the reason of the first probe. */
const outcome = ({ status, reason }: IncidentOpened): string => (status === null ? reason : String(status))

const openedMessage = (one: IncidentOpened): AlertContent => ({
  title: `${one.web.fqdn} is down: ${outcome(one)}`,
  lines: [...webDetails(one.web), `Since: ${formatMoment(one.startedAt)}`, `Reason: ${one.reason}`],
})

const resolvedMessage = (one: IncidentResolved): AlertContent => ({
  title: `${one.web.fqdn} is up again after ${formatDuration(one.downtime)}`,
  lines: [
    ...webDetails(one.web),
    `Down: ${formatMoment(one.startedAt)} to ${formatMoment(one.endedAt)}`,
    `Downtime: ${formatDuration(one.downtime)}${unmonitoredTime(one)}`,
    `Reason: ${one.reason}`,
  ],
})

/** Mentions the time that is not counted as downtime because Kustos was down. */
function unmonitoredTime({ startedAt, endedAt, downtime }: IncidentResolved): string {
  const seconds = Math.round((endedAt.getTime() - startedAt.getTime()) / 1000) - downtime
  return seconds > 1 ? `, plus ${formatDuration(seconds)} unmonitored` : ''
}
