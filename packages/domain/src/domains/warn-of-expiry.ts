import { ownDomains, watchedDomains } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import { type AlertTools, announceExpiringDomains, enqueueAlerts } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { findOwners, noOwners, warnedOf } from './owners.ts'
import { isRenewalOverdue } from './renewal.ts'

/** Days before a registration ends. */
const thresholds = [0, 1, 7, 30] as const
const dayMs = 86_400_000

/**
 * Warns of registrations that end within 30, 7 or 1 days or have ended, once for each threshold and date. Of several that are passed
 * at once only the nearest counts. Of domains that the registrar renews by itself only those are announced that it has not renewed
 * a day later.
 */
export async function warnOfExpiringDomains(
  context: Context,
  tools: AlertTools,
): Promise<{ readonly warned: number } | null> {
  const now = context.now()
  const { warned, ids } = await context.db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    await lockInTransaction(tx, 'domain-expiries')
    const end = sql<Date>`coalesce(${ownDomains.expires_at}, ${watchedDomains.expires_at})`.mapWith(
      watchedDomains.expires_at,
    )
    const last = new Date(now.getTime() + Math.max(...thresholds) * dayMs)
    const rows = await tx
      .select({
        id: watchedDomains.id,
        name: watchedDomains.name,
        end,
        warnedEnd: watchedDomains.warned_expiry,
        warnedDays: watchedDomains.warned_days,
      })
      .from(watchedDomains)
      .leftJoin(ownDomains, eq(ownDomains.fqdn_ascii, watchedDomains.name))
      .where(
        sql`${watchedDomains.name} = ${watchedDomains.domain} and ${watchedDomains.unlisted_since} is null
          and ${end} <= ${last.toISOString()}::timestamptz
          and (${ownDomains.auto_renew} is not true or ${isRenewalOverdue(end, sql`${watchedDomains.expires_at}`, now)})`,
      )
      .orderBy(end, watchedDomains.id)
    const due = rows.flatMap((row) => {
      const leftMs = row.end.getTime() - now.getTime()
      const days = thresholds.find((threshold) => leftMs <= threshold * dayMs)
      const isKnown =
        row.warnedEnd?.getTime() === row.end.getTime() &&
        (row.warnedDays ?? Number.POSITIVE_INFINITY) <= (days ?? 0)
      return days === undefined || isKnown ? [] : [{ ...row, days }]
    })
    const owners = await findOwners(
      tx,
      due.map(({ id }) => id),
    )
    for (const { id, end, days } of due)
      await tx
        .update(watchedDomains)
        .set({ warned_expiry: end, warned_days: days })
        .where(eq(watchedDomains.id, id))
    const news = due.map(({ id, name, end }) => {
      const owner = owners.get(id) ?? noOwners
      const { customers, channels } = owner
      return { domain: name, customers, channels, about: warnedOf(owner), expiresAt: end }
    })
    return { warned: due.length, ids: await announceExpiringDomains(tx, news, { ...tools, now }) }
  })
  await enqueueAlerts(tools, ids)
  return warned === 0 ? null : { warned }
}
