import type { AlertSeverity } from '@kustos/contract/alert-routes'
import type { Transaction } from '@kustos/database/client'
import { alertChannels, type alerts } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import { type RoutedTargets, readTold, routeWarnings, startEscalations } from '../../alert-routes/index.ts'
import { minWebsOfOutage } from '../outage.ts'
import type { AlertedWeb, IncidentOpened, RoundNotifications } from './event.ts'
import type { ComposedAlert } from './message-parts.ts'
import type { AlertSettings } from './tools.ts'

/** Begins the routes of opened incidents, and adds those who were told of resolved ones. Without routes, nothing changes. */
export async function routeNews(
  db: Transaction,
  news: RoundNotifications,
  now: Date,
): Promise<RoundNotifications> {
  const started = await startEscalations(
    db,
    news.opened.map((one) => ({
      incident: one.incident,
      outage: one.outage,
      web: one.web.id,
      severity: severityOf(one, news),
    })),
    now,
  )
  return {
    ...news,
    opened: news.opened.map((one) => ({ ...one, web: routeWeb(one.web, started.get(one.incident)) })),
    resolved: await addTold(db, news.resolved),
  }
}

/** Adds those whom routes have told of incidents, who also get what follows. */
export async function addTold<One extends IncidentOpened>(
  db: Transaction,
  known: readonly One[],
): Promise<One[]> {
  const told = await readTold(
    db,
    known.map(({ incident }) => incident),
  )
  return known.map((one) => ({ ...one, web: routeWeb(one.web, told.get(one.incident)) }))
}

/** Adds those whom routes tell of certificates. */
export async function routeCertificates<One extends { readonly web: AlertedWeb }>(
  db: Transaction,
  ending: readonly One[],
  now: Date,
): Promise<One[]> {
  const routed = await routeWarnings(
    db,
    ending.map(({ web }) => ({ web: web.id, severity: 'certificate' })),
    now,
  )
  return ending.map((one) => ({ ...one, web: routeWeb(one.web, routed.get(one.web.id)) }))
}

const routeWeb = (web: AlertedWeb, routed: RoutedTargets | undefined): AlertedWeb =>
  routed === undefined ? web : { ...web, routed, channels: routed.replacesChannels ? [] : web.channels }

/** As the messages group them: webs that go down together with others of their node are an outage. */
export function severityOf(
  { kind, outage, web }: IncidentOpened,
  { opened, nodes, everything = null }: RoundNotifications,
): AlertSeverity {
  if (kind !== 'down') return kind
  if (outage !== null || everything !== null) return 'outage'
  const seen = nodes.get(web.node?.id ?? 0)
  if (seen === undefined || seen.failed * 2 < seen.probed) return 'down'
  const ofNode = opened.filter((other) => other.kind === 'down' && other.web.node?.id === web.node?.id)
  return ofNode.length >= minWebsOfOutage ? 'outage' : 'down'
}

/** A channel of the configuration, one of the console, or a mailbox. */
export type Recipient = Pick<typeof alerts.$inferInsert, 'channel' | 'recipient' | 'channel_id'>

/** The same address in another case is the same mailbox, everywhere but in the standard. */
const keyOf = ({ channel, recipient, channel_id }: Recipient) =>
  `${channel} ${recipient?.toLowerCase() ?? ''} ${channel_id ?? ''}`

/** Each of them once. */
export const distinctRecipients = (all: readonly Recipient[]): Recipient[] => [
  ...new Map(all.map((one) => [keyOf(one), one])).values(),
]

/** Reads the channels that routes name. @returns whom they add to a message */
export async function readRoutedRecipients(
  db: Transaction,
  messages: readonly ComposedAlert[],
  { channels, mailTo }: AlertSettings,
): Promise<(message: ComposedAlert) => Recipient[]> {
  const ids = messages.flatMap(({ routed = [] }) => routed.flatMap((targets) => targets.channels))
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id: alertChannels.id, kind: alertChannels.kind, origin: alertChannels.origin })
          .from(alertChannels)
          .where(sql`${alertChannels.id} = any(${sql.param([...new Set(ids)])}::int[])`)
  const channelOf = new Map(rows.map((row) => [row.id, row]))
  const mails = (addresses: readonly string[]): Recipient[] =>
    channels.mail === null ? [] : addresses.map((recipient) => ({ channel: 'mail', recipient }))
  const toChannel = (id: number): Recipient[] => {
    const found = channelOf.get(id)
    if (found === undefined) return []
    if (found.origin === 'console') return [{ channel: 'channel', recipient: null, channel_id: id }]
    // Those of the configuration are named by their kind.
    if (found.kind === 'mail') return mails(mailTo)
    const isOpen = (found.kind === 'slack' || found.kind === 'telegram') && channels[found.kind] !== null
    return isOpen ? [{ channel: found.kind, recipient: null }] : []
  }
  return ({ routed = [] }) =>
    routed.flatMap((targets) => [...targets.channels.flatMap(toChannel), ...mails(targets.mails)])
}
