import { deploymentKinds, deploymentName } from '@kustos/contract/deployment'
import type { Transaction } from '@kustos/database/client'
import { type AlertEvent, type DriftCause, nodes, trackingDifferences, webs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import { isInMaintenance } from '../../maintenance/index.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { linkTo } from '../../platform/mail.ts'
import { toWarningEvent } from './alert-event.ts'
import { type AlertedWeb, alertedWebColumns } from './event.ts'
import {
  type ComposedAlert,
  formatMoment,
  toComposedAlert,
  truncateList,
  webDetails,
} from './message-parts.ts'
import { writeAlerts } from './outbox.ts'
import { addRouted, addStored } from './routing.ts'
import type { AlertSettings } from './tools.ts'

type Row = typeof trackingDifferences.$inferSelect
/** A difference, and the web with its recipients. */
type Difference = Row & { readonly web: AlertedWeb }

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
  const web = await readWeb(tx, webId)
  const [routed] =
    web === null || begun.length === 0 ? [] : await addRouted(tx, 'tracking', [{ web }], { ...settings, now })
  await markAnnounced(tx, begun, { alerted_at: now, ...routed?.stored })
  await markAnnounced(tx, ended, { end_alerted_at: now })
  if (web === null) return []
  const messages = [
    ...composeBegun(
      begun.map((row) => ({ ...row, web: routed?.web ?? web })),
      settings.publicUrl,
    ),
    ...composeEnded(
      await addStored(
        tx,
        ended.map((row) => ({ ...row, web })),
      ),
      settings.publicUrl,
    ),
  ]
  return writeAlerts(tx, messages, settings, now)
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

const composeBegun = (begun: readonly Difference[], publicUrl: string | null) =>
  compose(begun, publicUrl, {
    type: 'tracking',
    severity: 'warning',
    titleOf: ({ fqdn }) => `The tracking of ${fqdn} differs from its contract`,
    lines: causeLines(begun),
  })

const composeEnded = (ended: readonly Difference[], publicUrl: string | null) =>
  compose(ended, publicUrl, {
    type: 'tracking_ended',
    severity: 'info',
    titleOf: ({ fqdn }) => `The tracking of ${fqdn} no longer differs from its contract in this respect`,
    lines: [],
  })

/** One message for all of them, which are of one web. */
function compose(
  all: readonly Difference[],
  publicUrl: string | null,
  {
    type,
    severity,
    titleOf,
    lines,
  }: Pick<AlertEvent, 'type' | 'severity'> & {
    titleOf(web: AlertedWeb): string
    readonly lines: readonly string[]
  },
): readonly ComposedAlert[] {
  const [first] = all
  if (first === undefined) return []
  const title = titleOf(first.web)
  const sentenceOf = ({ reason }: Row) => reason ?? ''
  const content = {
    title,
    lines: [...webDetails(first.web), ...truncateList(all.map(sentenceOf)), sinceLine(all), ...lines],
    ...linkTo(publicUrl, `/hosting/tracking/${first.web.id}`),
  }
  const event = toWarningEvent(
    type,
    severity,
    all.map((one) => ({ kind: 'tracking', id: one.id, name: null, title: `${title}: ${sentenceOf(one)}` })),
  )
  const webs = all.map(({ web }) => web)
  return [{ event, ...toComposedAlert(webs, content) }]
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
  if (deployment === null) return `Preceding event: ${entry?.description ?? ''} at ${time}`
  const kind = deploymentKinds.find((each) => each === deployment.kind)
  const name = kind === undefined ? deployment.kind : deploymentName(kind)
  return `Preceding event: ${name} at ${time} (deployment ${deployment.id})`
}
