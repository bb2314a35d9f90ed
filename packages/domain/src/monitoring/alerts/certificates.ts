import type { Transaction } from '@kustos/database/client'
import { certificateWarnings, nodes, webs } from '@kustos/database/tables'
import { and, asc, eq, gte, lte, not, sql } from 'drizzle-orm'
import { isInMaintenance } from '../../maintenance/index.ts'
import type { Context } from '../../platform/context.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { lockInTransaction } from '../../platform/locks.ts'
import { dayOf, spanOf } from '../day.ts'
import { monitoredWebs } from '../monitored-webs.ts'
import { type AlertedWeb, alertedWebColumns } from './event.ts'
import { enqueueAlerts } from './jobs.ts'
import {
  type ComposedAlert,
  formatDuration,
  formatMoment,
  linksTo,
  toComposedAlert,
  truncateList,
  webDetails,
} from './message-parts.ts'
import { writeAlerts } from './outbox.ts'
import { routeCertificates } from './routing.ts'
import type { AlertTools } from './tools.ts'

/** Days before a certificate expires. */
const thresholds = [0, 1, 7, 14] as const
type Threshold = (typeof thresholds)[number]

/** Warnings that wait for the next daily message. */
const dailyThresholds: readonly Threshold[] = [7, 14]

const dayMs = 86_400_000

interface Due extends ExpiringCertificate {
  /** The nearest threshold that it has passed. */
  readonly days: Threshold
}

/**
 * Warns of certificates of monitored webs that expire within 14, 7 or 1 days or have expired: once for each threshold and
 * certificate, and not while the web is in maintenance. Of several thresholds that are passed at once only the nearest counts.
 */
export async function warnOfCertificates(
  context: Context,
  tools: AlertTools,
  internalMarker: string,
): Promise<{ readonly warned: number } | null> {
  const now = context.now()
  const { warned, ids } = await context.db.transaction(async (tx) => {
    await lockInTransaction(tx, 'certificates')
    const due = await withoutWarned(tx, await endingSoon(tx, internalMarker, now))
    const hasUrgent = due.some(({ days }) => !dailyThresholds.includes(days))
    if (due.length === 0 || (!hasUrgent && (await hasWarnedToday(tx, now)))) return { warned: 0, ids: [] }
    await mark(tx, due, now)
    const messages = composeCertificates(await routeCertificates(tx, due, now), now, tools.publicUrl)
    return { warned: due.length, ids: await writeAlerts(tx, messages, tools, now) }
  })
  await enqueueAlerts(tools, ids)
  return warned === 0 ? null : { warned }
}

async function endingSoon(db: Transaction, internalMarker: string, now: Date): Promise<readonly Due[]> {
  const last = new Date(now.getTime() + Math.max(...thresholds) * dayMs)
  const rows = await db
    .select({
      web: alertedWebColumns,
      node: { id: nodes.id, name: nodes.name },
      authority: webs.cert_ca,
      end: webs.cert_expiration,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(
      and(
        monitoredWebs(internalMarker),
        lte(webs.cert_expiration, last),
        not(isInMaintenance(sql`${webs.id}`, now)),
      ),
    )
    .orderBy(asc(webs.cert_expiration), asc(webs.id))
  return rows.flatMap(({ end, authority, web, node }) => {
    const left = (end?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime()
    const days = thresholds.find((threshold) => left <= threshold * dayMs)
    return end === null || days === undefined ? [] : [{ web: { ...web, node }, authority, end, days }]
  })
}

async function withoutWarned(db: Transaction, due: readonly Due[]): Promise<readonly Due[]> {
  if (due.length === 0) return []
  const warnings = await db
    .select()
    .from(certificateWarnings)
    .where(
      isAnyOf(
        certificateWarnings.web_id,
        due.map(({ web }) => web.id),
      ),
    )
  const key = (web: number, end: Date, days: number) => `${web} ${end.getTime()} ${days}`
  const known = new Set(warnings.map((row) => key(row.web_id, row.cert_expiration, row.days)))
  return due.filter(({ web, end, days }) => !known.has(key(web.id, end, days)))
}

async function hasWarnedToday(db: Transaction, now: Date): Promise<boolean> {
  const [warnings] = await db
    .select({ days: certificateWarnings.days })
    .from(certificateWarnings)
    .where(gte(certificateWarnings.warned_at, new Date(spanOf(dayOf(now)).from)))
    .limit(1)
  return warnings !== undefined
}

/** Also marks the thresholds that are passed already. */
async function mark(db: Transaction, due: readonly Due[], now: Date): Promise<void> {
  const rows = due.flatMap(({ web, end, days }) =>
    thresholds
      .filter((threshold) => threshold >= days)
      .map((threshold) => ({ web_id: web.id, cert_expiration: end, days: threshold, warned_at: now })),
  )
  // As arrays, since a statement takes 65,535 parameters at most.
  await db.execute(sql`
    insert into ${certificateWarnings} (web_id, cert_expiration, days, warned_at)
    select * , ${now.toISOString()}::timestamptz from unnest(
      ${sql.param(rows.map((row) => row.web_id))}::int[],
      ${sql.param(rows.map((row) => row.cert_expiration.toISOString()))}::timestamptz[],
      ${sql.param(rows.map((row) => row.days))}::int[])
    on conflict do nothing`)
}

export interface ExpiringCertificate {
  readonly web: AlertedWeb
  readonly authority: string | null
  readonly end: Date
}

/** From this number on, one message lists them. */
const minListed = 3

export function composeCertificates(
  endings: readonly ExpiringCertificate[],
  now: Date,
  publicUrl: string | null,
): readonly ComposedAlert[] {
  const links = linksTo(publicUrl)
  const left = ({ end }: ExpiringCertificate) => Math.floor((end.getTime() - now.getTime()) / 1000)
  const hasEnded = (one: ExpiringCertificate) => left(one) <= 0
  const when = (one: ExpiringCertificate) =>
    hasEnded(one) ? 'has ended' : `ends in ${formatDuration(left(one))}`
  if (endings.length < minListed)
    return endings.map((one) => ({
      ...eventOf(hasEnded(one)),
      ...toComposedAlert([one.web], {
        title: `The certificate of ${one.web.fqdn} ${when(one)}`,
        lines: [
          ...webDetails(one.web),
          `End: ${formatMoment(one.end)}`,
          ...(one.authority === null ? [] : [`Issued by: ${one.authority}`]),
        ],
        ...links.web(one.web),
      }),
    }))
  const ended = endings.filter(hasEnded).length
  const soon = endings.length - ended
  return [
    {
      ...eventOf(ended > 0),
      ...toComposedAlert(
        endings.map(({ web }) => web),
        {
          title: [
            ...(ended > 0 ? [`Certificates that have ended: ${ended}`] : []),
            ...(soon > 0 ? [`Certificates that end soon: ${soon}`] : []),
          ].join('; '),
          lines: truncateList(
            endings.map(
              (one) => `${one.web.fqdn} (${one.web.customer}): ${formatMoment(one.end)}, ${when(one)}`,
            ),
          ),
          ...links.list,
        },
      ),
    },
  ]
}

const eventOf = (hasEnded: boolean): Pick<ComposedAlert, 'event'> => ({
  event: { type: 'certificate', severity: hasEnded ? 'critical' : 'warning', incidents: [] },
})
