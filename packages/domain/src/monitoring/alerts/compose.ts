import type { IncidentKind } from '@kustos/contract/monitoring'
import type { AlertContent, AlertEvent } from '@kustos/database/tables'
import { deadMs, flappingAfter } from '../flapping.ts'
import { minWebsOfOutage } from '../outage.ts'
import { toEvent } from './alert-event.ts'
import type { IncidentOpened, IncidentResolved, RoundNotifications } from './event.ts'
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
import type { Reminded } from './reminded.ts'

/** More webs than this are reported in one message. */
export const maxSingleMessages = 20
/** More causes than this are in one message where it repeats what was told before. */
export const maxRepeated = 2

/** The texts for opened or for resolved incidents. */
interface NewsFormat<One extends IncidentOpened> {
  readonly type: AlertEvent['type']
  /** Follows "5 webs are". */
  readonly state: string
  /** Whether enough webs of the host are affected to report its nodes; none are by default. */
  isOfHost?(host: string, webs: number): boolean
  ofHost?(host: string, all: readonly One[]): readonly string[]
  /** The number of monitored webs if all of them are affected; they are reported in one message. */
  readonly everything?: number | null
  /** Whether many have just been reported, so that the rest of them are in one message. */
  readonly isFollowUp?: boolean
  /** Follows a web's name in a list. */
  inList(one: One): string
  single(one: One): AlertContent
}

/**
 * The messages of a round: one for each host whose webs went down (or up) together, and for each other web, or one for all
 * of these if there are many.
 */
export function compose(
  { opened, resolved, hosts, everything = null, isFollowUp = false }: RoundNotifications,
  publicUrl: string | null,
): readonly ComposedAlert[] {
  const flaps = ({ kind }: IncidentOpened) => kind === 'flapping'
  const fails = ({ kind }: IncidentOpened) => kind === 'down'
  const hasMoved = ({ kind }: IncidentOpened) => kind === 'moved'
  return [
    ...composeNews(opened.filter(fails), publicUrl, {
      type: 'opened',
      state: 'down',
      everything,
      isFollowUp,
      isOfHost(host, webs) {
        const seen = hosts.get(host)
        if (seen === undefined || seen.failed * 2 < seen.probed) return false
        return webs > 1 && webs + (seen.announced ?? 0) >= minWebsOfOutage
      },
      ofHost(host, all) {
        const since = Math.min(...all.map(({ startedAt }) => startedAt.getTime()))
        const { failed = all.length, probed = all.length } = hosts.get(host) ?? {}
        return [
          `Since: ${formatMoment(new Date(since))}`,
          `Probed there since then: ${probed}, of which failed: ${failed}`,
        ]
      },
      inList: (one) => `: ${outcome(one)}`,
      single: openedMessage,
    }),
    ...composeNews(opened.filter(flaps), publicUrl, {
      type: 'opened',
      state: 'flapping',
      isFollowUp,
      inList: (one) => `: ${outcome(one)}`,
      single: flappingMessage,
    }),
    ...composeNews(opened.filter(hasMoved), publicUrl, {
      type: 'opened',
      state: 'no longer pointing here',
      inList: ({ reason }) => `: ${reason}`,
      single: (one) => ({
        title: `The domain of ${one.web.fqdn} no longer points here`,
        lines: incidentDetails(one),
      }),
    }),
    ...composeNews(resolved.filter(fails), publicUrl, {
      type: 'resolved',
      state: 'up again',
      isOfHost: (_, webs) => webs >= minWebsOfOutage,
      inList: ({ downtime }) => `, after ${formatDuration(downtime)}`,
      single: (one) => resolvedMessage(one, 'is up again after'),
    }),
    ...composeNews(resolved.filter(flaps), publicUrl, {
      type: 'resolved',
      state: 'stable again',
      inList: ({ downtime }) => `, down for ${formatDuration(downtime)}`,
      single: (one) => resolvedMessage(one, 'is stable again, down for'),
    }),
    ...composeNews(resolved.filter(hasMoved), publicUrl, {
      type: 'resolved',
      state: 'pointing here again',
      inList: ({ downtime }) => `, after ${formatDuration(downtime)}`,
      single: (one) => resolvedMessage(one, 'points here again after'),
    }),
  ]
}

/** @param maxSingle more webs than this are reported in one message */
function composeNews<One extends IncidentOpened>(
  all: readonly One[],
  publicUrl: string | null,
  format: NewsFormat<One>,
  maxSingle = maxSingleMessages,
): readonly ComposedAlert[] {
  const links = linksTo(publicUrl)
  const { groups, rest } = byHost(all, (host, webs) => format.isOfHost?.(host, webs) ?? false)
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
      event: toEvent(format.type, webs, publicUrl),
    }
  }
  const single = (one: One) => ({
    ...toComposedAlert([one.web], { ...format.single(one), ...links.incident(one.incident) }),
    incidents: [one.incident],
    event: toEvent(format.type, [one], publicUrl),
  })
  if (format.everything && all.length > 0)
    return [
      about(all, `All ${format.everything} monitored webs are ${format.state}`, [
        'The control targets respond, so it is not the network of Kustos.',
        formatCustomers(all.map(({ web }) => web)),
        countByNode(all),
      ]),
    ]
  if (format.isFollowUp && all.length > 1)
    return [
      about(all, `${all.length} more webs are ${format.state}`, [
        formatCustomers(all.map(({ web }) => web)),
        countByNode(all),
      ]),
    ]
  return [
    ...groups.map(({ host, webs }) =>
      about(webs, `${nodesOf(webs)}: ${webs.length} webs are ${format.state}`, [
        formatCustomers(webs.map(({ web }) => web)),
        ...(format.ofHost?.(host, webs) ?? []),
      ]),
    ),
    ...(rest.length > maxSingle
      ? [about(rest, `${rest.length} webs are ${format.state}`, [countByNode(rest)])]
      : rest.map(single)),
  ]
}

/** Groups webs that are affected together with others of their host. */
function byHost<One extends IncidentOpened>(
  all: readonly One[],
  isOfHost: (host: string, webs: number) => boolean,
) {
  const onHosts = Map.groupBy(all, (one) => one.host)
  const groups = [...onHosts].flatMap(([host, webs]) =>
    host !== null && isOfHost(host, webs.length) ? [{ host, webs }] : [],
  )
  const grouped = new Set(groups.flatMap(({ webs }) => webs))
  return { groups, rest: all.filter((one) => !grouped.has(one)) }
}

/** The names of their nodes. */
const nodesOf = (webs: readonly IncidentOpened[]): string =>
  [...new Set(webs.flatMap(({ web }) => web.node?.name ?? []))].join(', ')

export function countByNode(all: readonly IncidentOpened[]): string {
  const names = Map.groupBy(all, ({ web }) => web.node?.name ?? 'no node')
  const shown = [...names]
    .map(([name, webs]) => [name, webs.length] as const)
    .toSorted(([, a], [, b]) => b - a)
  return `By node: ${truncateList(shown.map(([name, webs]) => `${name} ${webs}`)).join(', ')}`
}

/** The status or, without a response, the reason of the first probe. */
const outcome = ({ status, reason }: IncidentOpened): string => (status === null ? reason : String(status))

const incidentDetails = (one: IncidentOpened): readonly string[] => [
  ...webDetails(one.web),
  `Since: ${formatMoment(one.startedAt)}`,
  `Reason: ${one.reason}`,
]

const openedMessage = (one: IncidentOpened): AlertContent => ({
  title: `${one.web.fqdn} is down: ${outcome(one)}`,
  lines: incidentDetails(one),
})

const flappingMessage = (one: IncidentOpened): AlertContent => ({
  title: `${one.web.fqdn} is flapping: ${outcome(one)}`,
  lines: [
    ...incidentDetails(one),
    `It was down ${flappingAfter} times in the hour before. Further failures are not announced one by one. You are told if it stays down for ${deadMs / 60_000} minutes, and once it has answered for an hour.`,
  ],
})

const resolvedMessage = (one: IncidentResolved, verb: string): AlertContent => ({
  title: `${one.web.fqdn} ${verb} ${formatDuration(one.downtime)}`,
  lines: [
    ...webDetails(one.web),
    `Down: ${formatMoment(one.startedAt)} to ${formatMoment(one.endedAt)}`,
    `Downtime: ${formatDuration(one.downtime)}${unmonitoredTime(one)}`,
    `Reason: ${one.reason}`,
  ],
})

/** Reminders of incidents that last; several are in one message. */
export const composeReminders = (
  open: readonly Reminded[],
  now: Date,
  publicUrl: string | null,
): readonly ComposedAlert[] => {
  const lasts = ({ startedAt }: IncidentOpened) =>
    formatDuration(Math.floor((now.getTime() - startedAt.getTime()) / 1000))
  return composeNews(
    open,
    publicUrl,
    {
      type: 'reminder',
      state: 'still affected',
      inList: (one) =>
        `: ${stateOf[one.kind]} for ${lasts(one)} (${outcome(one)})${one.handledBy === null ? '' : `, handled by ${one.handledBy}`}`,
      single: (one) => ({
        title: `${one.web.fqdn} is still ${stateOf[one.kind]} after ${lasts(one)}: ${outcome(one)}`,
        lines: [...incidentDetails(one), ...(one.handledBy === null ? [] : [`Handled by: ${one.handledBy}`])],
      }),
    },
    maxRepeated,
  )
}

/** Follows "is" or "has been". */
export const stateOf: Readonly<Record<IncidentKind, string>> = {
  down: 'down',
  flapping: 'flapping',
  moved: 'pointing elsewhere',
}

/** Mentions the time that is not counted as downtime because Kustos was down. */
const unmonitoredTime = ({ unmonitored }: IncidentResolved): string =>
  unmonitored > 1 ? `, plus ${formatDuration(unmonitored)} unmonitored` : ''
