import { deploymentKinds, deploymentName } from '@kustos/contract/deployment'
import type { Transaction } from '@kustos/database/client'
import { type DriftCause, nodes, trackingDifferences, webs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import { isInMaintenance } from '../../maintenance/index.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { linkTo } from '../../platform/mail.ts'
import { type AlertedWeb, alertedWebColumns } from './event.ts'
import { formatMoment, toComposedAlert, truncateList, webDetails } from './message-parts.ts'
import { writeAlerts } from './outbox.ts'
import { addRouted } from './routing.ts'
import type { AlertSettings } from './tools.ts'

type Row = typeof trackingDifferences.$inferSelect

/**
 * Writes one message with the confirmed differences of a web from its tracking contract that were not announced yet, unless it
 * is in maintenance, and one with those announced ones that are over.
 * @returns the ids of the alerts, as `announce` does
 */
export async function announceDrift(
  tx: Transaction,
  webId: number,
  { now, ...settings }: AlertSettings & { readonly now: Date },
): Promise<readonly number[]> {
  const { alerted_at, confirmed_at, end_alerted_at, ended_at } = trackingDifferences
  const rows = await tx
    .select()
    .from(trackingDifferences)
    .where(
      and(
        eq(trackingDifferences.web_id, webId),
        or(
          and(
            isNotNull(confirmed_at),
            isNull(alerted_at),
            isNull(ended_at),
            not(isInMaintenance(sql`${trackingDifferences.web_id}`, now)),
          ),
          and(isNotNull(ended_at), isNotNull(alerted_at), isNull(end_alerted_at)),
        ),
      ),
    )
    .orderBy(trackingDifferences.id)
  if (rows.length === 0) return []
  const [begun, ended] = [
    rows.filter((row) => row.ended_at === null),
    rows.filter((row) => row.ended_at !== null),
  ]
  await markAnnounced(tx, begun, { alerted_at: now })
  await markAnnounced(tx, ended, { end_alerted_at: now })
  const web = await readWeb(tx, webId)
  if (web === null) return []
  const [routed] = await addRouted(tx, 'tracking', [{ web }], now)
  return writeAlerts(tx, compose(routed?.web ?? web, begun, ended, settings.publicUrl), settings, now)
}

async function markAnnounced(
  tx: Transaction,
  rows: readonly Row[],
  values: Partial<typeof trackingDifferences.$inferInsert>,
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await tx.update(trackingDifferences).set(values).where(isAnyOf(trackingDifferences.id, ids))
}

async function readWeb(tx: Transaction, id: number): Promise<AlertedWeb | null> {
  const [row] = await tx
    .select({ web: alertedWebColumns, node: { id: nodes.id, name: nodes.name } })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(eq(webs.id, id), isNull(webs.deleted_at)))
  return row ? { ...row.web, node: row.node } : null
}

function compose(web: AlertedWeb, begun: readonly Row[], ended: readonly Row[], publicUrl: string | null) {
  const link = linkTo(publicUrl, `/hosting/tracking/${web.id}`)
  const sentences = (all: readonly Row[]) => truncateList(all.map(({ reason }) => reason ?? ''))
  const about = (
    all: readonly Row[],
    title: string,
    lines: (rows: readonly Row[]) => readonly string[] = () => [],
  ) => {
    if (all.length === 0) return []
    const content = {
      title,
      lines: [...webDetails(web), ...sentences(all), sinceLine(all), ...lines(all)],
      ...link,
    }
    return [toComposedAlert([web], content)]
  }
  return [
    ...about(begun, `The tracking of ${web.fqdn} differs from its contract`, causeLines),
    ...about(ended, `The tracking of ${web.fqdn} no longer differs from its contract in this`),
  ]
}

function sinceLine(rows: readonly Row[]): string {
  const since = Math.min(...rows.map(({ first_seen_at }) => first_seen_at.getTime()))
  return `First seen: ${formatMoment(new Date(since))}`
}

const causeLines = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap(({ preceded_by: cause }) => (cause === null ? [] : describeCause(cause)))),
]

function describeCause({ at, deployment, entry }: DriftCause): string {
  const time = formatMoment(new Date(at))
  if (deployment === null) return `Before it: ${entry?.description ?? ''} at ${time}`
  const kind = deploymentKinds.find((each) => each === deployment.kind)
  const name = kind === undefined ? deployment.kind : deploymentName(kind)
  return `Before it: ${name} at ${time} (deployment ${deployment.id})`
}
