import { reportingChannels } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { certificateWarnings, nodes, webs } from '@kustos/database/tables'
import { and, asc, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { lockInTransaction } from '../../platform/locks.ts'
import { dayOf, spanOf } from '../day.ts'
import { monitoredWebs } from '../monitored.ts'
import { composeCertificates, type Ending } from './compose-certificates.ts'
import { enqueueAlerts } from './jobs.ts'
import { writeAlerts } from './outbox.ts'
import type { AlertTools } from './tools.ts'

/** Days before a certificate's end at which it is reported; 0 is the end itself. */
const thresholds = [0, 1, 7, 14] as const
type Threshold = (typeof thresholds)[number]

/** For these one mail a day is enough; nearer ends are reported at once. */
const dailyThresholds: readonly Threshold[] = [7, 14]

const day = 86_400_000

interface Due extends Ending {
  /** The nearest threshold that it has passed. */
  readonly days: Threshold
}

/**
 * Tells of certificates of monitored webs that end within 14, 7 or 1 days or have ended: once for each of these and each
 * certificate, and where several are passed at once, of the nearest alone.
 * @param internalMarker as `monitoredWebs` takes it
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
    const messages = composeCertificates(due, now, tools.publicUrl)
    return { warned: due.length, ids: await writeAlerts(tx, messages, tools, now) }
  })
  await enqueueAlerts(tools, ids)
  return warned === 0 ? null : { warned }
}

async function endingSoon(db: Transaction, internalMarker: string, now: Date): Promise<readonly Due[]> {
  const last = new Date(now.getTime() + Math.max(...thresholds) * day)
  const rows = await db
    .select({
      id: webs.id,
      fqdn: webs.fqdn,
      customer: webs.customer,
      channels: webs.monitoring_web_reporting_channel,
      node: { id: nodes.id, name: nodes.name },
      authority: webs.cert_ca,
      end: webs.cert_expiration,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(monitoredWebs(internalMarker), lte(webs.cert_expiration, last)))
    .orderBy(asc(webs.cert_expiration), asc(webs.id))
  return rows.flatMap(({ end, authority, channels, ...web }) => {
    const left = (end?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime()
    const days = thresholds.find((threshold) => left <= threshold * day)
    const names = channels.split(',')
    const known = reportingChannels.filter((channel) => names.includes(channel))
    return end === null || days === undefined
      ? []
      : [{ web: { ...web, channels: known }, authority, end, days }]
  })
}

async function withoutWarned(db: Transaction, due: readonly Due[]): Promise<readonly Due[]> {
  if (due.length === 0) return []
  const warnings = await db
    .select()
    .from(certificateWarnings)
    .where(
      inArray(
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
