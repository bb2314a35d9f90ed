import type { AlertSeverity, WarningSeverity } from '@kustos/contract/alert-routes'
import type { Transaction } from '@kustos/database/client'
import {
  type Reaches,
  type RoutedTargets,
  readNotifiedTargets,
  readStoredTargets,
  routeWarnings,
  type StoredTargets,
  startEscalations,
} from '../../alert-routes/index.ts'
import { minWebsOfOutage } from '../outage.ts'
import type { AlertedWeb, IncidentOpened, RoundNotifications } from './event.ts'
import { readTargets } from './targets.ts'
import type { AlertSettings } from './tools.ts'

/** Begins the routes of opened incidents, and adds those who were notified of resolved ones. Without routes, nothing changes. */
export async function routeNews(
  db: Transaction,
  news: RoundNotifications,
  settings: AlertSettings,
  now: Date,
): Promise<RoundNotifications> {
  const started = await startEscalations(
    db,
    news.opened.map((one) => ({
      incident: one.incident,
      outage: one.outage,
      isAgain: one.isAgain ?? false,
      web: one.web.id,
      severity: severityOf(one, news),
    })),
    await readReaches(db, settings),
    now,
  )
  return {
    ...news,
    opened: news.opened.map((one) => ({ ...one, web: routeWeb(one.web, started.get(one.incident)) })),
    resolved: await addNotified(db, news.resolved),
  }
}

/** @returns a function for whether what routes name leads anywhere: channels can be gone, and mails need a server */
export async function readReaches(db: Transaction, settings: AlertSettings): Promise<Reaches> {
  const targetsOf = await readTargets(db, settings, [])
  return ({ channels, mails }) =>
    targetsOf({ channels: [], to: channels, mails, isRoutedOnly: true }).length > 0
}

/** Adds those whom routes have notified of incidents, who also get what follows. */
export async function addNotified<One extends IncidentOpened>(
  db: Transaction,
  known: readonly One[],
): Promise<One[]> {
  const notified = await readNotifiedTargets(
    db,
    known.map(({ incident }) => incident),
  )
  return known.map((one) => ({ ...one, web: routeWeb(one.web, notified.get(one.incident)) }))
}

/** Adds those whom routes notify of warnings, and what to store of them where there are any. */
export async function addRouted<One extends { readonly web: AlertedWeb }>(
  db: Transaction,
  severity: WarningSeverity,
  warnings: readonly One[],
  { now, ...settings }: AlertSettings & { readonly now: Date },
): Promise<(One & { readonly stored: StoredTargets | undefined })[]> {
  if (warnings.length === 0) return []
  const routed = await routeWarnings(
    db,
    severity,
    warnings.map(({ web }) => ({ webs: [web.id], customers: [] })),
    await readReaches(db, settings),
    now,
  )
  return warnings.map((one, index) => ({
    ...one,
    web: routeWeb(one.web, routed[index]?.targets),
    stored: routed[index]?.stored,
  }))
}

/** Adds those who were notified of warnings as they began. */
export async function addStored<One extends StoredTargets & { readonly web: AlertedWeb }>(
  db: Transaction,
  ended: readonly One[],
): Promise<One[]> {
  const targetsOf = await readStoredTargets(db, ended)
  return ended.map((one) => ({ ...one, web: routeWeb(one.web, targetsOf([one])) }))
}

const routeWeb = (web: AlertedWeb, routed: RoutedTargets | undefined): AlertedWeb =>
  routed === undefined ? web : { ...web, routed, channels: routed.replacesChannels ? [] : web.channels }

/** As the messages group them: webs that go down together with others of their node are an outage. */
function severityOf(
  { kind, outage, host }: IncidentOpened,
  { opened, hosts, everything = null }: RoundNotifications,
): AlertSeverity {
  if (kind !== 'down') return kind
  if (outage !== null || everything !== null) return 'outage'
  const seen = host === null ? undefined : hosts.get(host)
  if (seen === undefined || seen.failed * 2 < seen.probed) return 'down'
  const ofHost = opened.filter((other) => other.kind === 'down' && other.host === host)
  return ofHost.length + (seen.announced ?? 0) >= minWebsOfOutage ? 'outage' : 'down'
}
