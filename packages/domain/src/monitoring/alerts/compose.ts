import type { AlertContent } from '@kustos/database/tables'
import type { AlertedWeb, IncidentOpened, IncidentResolved, RoundNews } from './event.ts'
import {
  type Composed,
  customersOf,
  formatDuration,
  linksTo,
  messageOf,
  place,
  time,
  truncateList,
} from './parts.ts'

/** So many webs of one node that its own failure is the likelier reason. */
const together = 3
/** More than these are told of in one message. */
const mostMessages = 20

type Node = NonNullable<AlertedWeb['node']>

/** How the one or the other news is told. */
interface Telling<One extends IncidentOpened> {
  readonly state: 'down' | 'up again'
  /** Whether it is for the node's sake, where there are enough of them. */
  isOfNode(node: Node): boolean
  /** What is said of a node besides its webs. */
  ofNode(node: Node, all: readonly One[]): readonly string[]
  /** What follows a web's name in a list. */
  inList(one: One): string
  alone(one: One): AlertContent
}

/**
 * The messages of a round: one for each node whose webs fell (or rose) together, and of the other webs one each, or one
 * for all of them where they are many.
 */
export function compose({ fallen, risen, nodes }: RoundNews, publicUrl: string | null): readonly Composed[] {
  return [
    ...told(fallen, publicUrl, {
      state: 'down',
      isOfNode({ id }) {
        const seen = nodes.get(id)
        return seen !== undefined && seen.failed * 2 >= seen.probed
      },
      ofNode({ id }, all) {
        const since = Math.min(...all.map(({ startedAt }) => startedAt.getTime()))
        const { failed = all.length, probed = all.length } = nodes.get(id) ?? {}
        return [
          `Since: ${time(new Date(since))}`,
          `Probed there since then: ${probed}, of which failed: ${failed}`,
        ]
      },
      inList: (one) => `: ${outcome(one)}`,
      alone: fallenAlone,
    }),
    ...told(risen, publicUrl, {
      state: 'up again',
      isOfNode: () => true,
      ofNode: () => [],
      inList: ({ downtime }) => `, after ${formatDuration(downtime)}`,
      alone: risenAlone,
    }),
  ]
}

function told<One extends IncidentOpened>(
  all: readonly One[],
  publicUrl: string | null,
  telling: Telling<One>,
): readonly Composed[] {
  const links = linksTo(publicUrl)
  const { groups, rest } = byNode(all, (node) => telling.isOfNode(node))
  const list = (webs: readonly One[]) =>
    truncateList(webs.map((one) => `${one.web.fqdn} (${one.web.customer})${telling.inList(one)}`))
  const about = (webs: readonly One[], title: string, lines: readonly string[]) =>
    messageOf(
      webs.map(({ web }) => web),
      { title, lines: [...lines, ...list(webs)], ...links.list },
    )
  return [
    ...groups.map(({ node, webs }) =>
      about(webs, `${node.name}: ${webs.length} webs are ${telling.state}`, [
        customersOf(webs.map(({ web }) => web)),
        ...telling.ofNode(node, webs),
      ]),
    ),
    ...(rest.length > mostMessages
      ? [about(rest, `${rest.length} webs are ${telling.state}`, [counts(rest)])]
      : rest.map((one) => messageOf([one.web], { ...telling.alone(one), ...links.web(one.web) }))),
  ]
}

/** Those that fell together with others of their node, and the rest. */
function byNode<One extends IncidentOpened>(all: readonly One[], isOfNode: (node: Node) => boolean) {
  const onNodes = Map.groupBy(all, ({ web }) => web.node?.id ?? null)
  const groups = [...onNodes.values()].flatMap((webs) => {
    const node = webs[0]?.web.node ?? null
    return node !== null && webs.length >= together && isOfNode(node) ? [{ node, webs }] : []
  })
  const grouped = new Set(groups.flatMap(({ webs }) => webs))
  return { groups, rest: all.filter((one) => !grouped.has(one)) }
}

function counts(all: readonly IncidentOpened[]): string {
  const names = Map.groupBy(all, ({ web }) => web.node?.name ?? 'no node')
  const shown = [...names]
    .map(([name, webs]) => [name, webs.length] as const)
    .toSorted(([, a], [, b]) => b - a)
  return `By node: ${truncateList(shown.map(([name, webs]) => `${name} ${webs}`)).join(', ')}`
}

/** What the first probe met, in a word where it got an answer. */
const outcome = ({ status, reason }: IncidentOpened): string => (status === null ? reason : String(status))

const fallenAlone = (one: IncidentOpened): AlertContent => ({
  title: `${one.web.fqdn} is down: ${outcome(one)}`,
  lines: [...place(one.web), `Since: ${time(one.startedAt)}`, `Reason: ${one.reason}`],
})

const risenAlone = (one: IncidentResolved): AlertContent => ({
  title: `${one.web.fqdn} is up again after ${formatDuration(one.downtime)}`,
  lines: [
    ...place(one.web),
    `Down: ${time(one.startedAt)} to ${time(one.endedAt)}`,
    `Downtime: ${formatDuration(one.downtime)}${unwatched(one)}`,
    `Reason: ${one.reason}`,
  ],
})

/** Where the times from and to tell more than the downtime: Kustos itself was away. */
function unwatched({ startedAt, endedAt, downtime }: IncidentResolved): string {
  const seconds = Math.round((endedAt.getTime() - startedAt.getTime()) / 1000) - downtime
  return seconds > 1 ? `, and ${formatDuration(seconds)} that nobody watched` : ''
}
