import { failedSignIns, users } from '@kustos/database/tables'
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'

const log = 'auth'
const hourMs = 3_600_000
/** Entries of failed sign-ins of all visitors. What exceeds them is in the summary of the hour. */
const maxEntriesPerHour = 20
/** The most frequent failures that a summary names. */
const maxNamed = 10
const retentionMs = 90 * 24 * hourMs

export interface FailedSignIn {
  /** In lower case; empty if it does not matter, so that changing e-mails cannot fill the table. */
  readonly email: string
  /** The `networkOf` the address; empty if it does not matter. */
  readonly network: string
  readonly address: string
  /** Whether the password was not even checked. */
  readonly isThrottled: boolean
  /** Tells whether a visitor failed to sign in, or a user to confirm the password. */
  readonly description: 'sign-in refused' | 'password refused'
}

const startOfHour = (now: Date) => new Date(Math.floor(now.getTime() / hourMs) * hourMs)

/** Counts a failed sign-in. The first one in an hour for an e-mail from a network is logged, within the limit of the hour. */
export async function recordFailedSignIn(tx: AuditTransaction, failed: FailedSignIn): Promise<void> {
  const { email, network, address, isThrottled, description } = failed
  const key = { hour: startOfHour(tx.now()), email, network }
  const column = isThrottled ? 'throttled' : 'wrong'
  const [counted] = await tx.db
    .insert(failedSignIns)
    .values({ ...key, [column]: 1 })
    .onConflictDoUpdate({
      target: [failedSignIns.hour, failedSignIns.email, failedSignIns.network],
      set: { [column]: sql`${failedSignIns[column]} + 1` },
    })
    .returning()
  if (!counted || counted.wrong + counted.throttled > 1 || !(await mayAddEntry(tx, key.hour)))
    return tx.skipAudit()
  await tx.db
    .update(failedSignIns)
    .set({ logged: 1 })
    .where(
      and(
        eq(failedSignIns.hour, key.hour),
        eq(failedSignIns.email, key.email),
        eq(failedSignIns.network, key.network),
      ),
    )
  const [user] = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(sql`lower(${users.email}) = ${email}`, isNull(users.deleted_at)))
  await tx.record({
    log,
    description,
    ...(user && { subject: { type: 'user', id: user.id } }),
    attributes: {
      ...(email !== '' && { email }),
      address,
      ...(isThrottled && { reason: 'too many attempts' }),
    },
  })
}

async function mayAddEntry({ db }: AuditTransaction, hour: Date): Promise<boolean> {
  await lockInTransaction(db, 'failed-sign-ins')
  const logged = await db.$count(
    failedSignIns,
    and(eq(failedSignIns.hour, hour), gt(failedSignIns.logged, 0)),
  )
  return logged < maxEntriesPerHour
}

interface Summary extends Record<string, unknown> {
  hour: string
  times: number
  tried_emails: number
  networks: number
  most_failures: string[]
}

/**
 * Logs the failed sign-ins of the past hours that have no entry of their own, in one entry for each hour, and removes the
 * counts of more than 90 days ago.
 */
export const summariseFailedSignIns = (context: Context): Promise<{ summaries: number; removed: number }> =>
  withAudit(context, async (tx) => {
    const thisHour = startOfHour(tx.now())
    const { rows } = await tx.db.execute<Summary>(sql`
      with due as (
        select *, wrong + throttled - logged as times from failed_sign_ins
        where hour < ${thisHour.toISOString()} and wrong + throttled > logged
        for update
      ), noted as (
        update failed_sign_ins f set logged = due.wrong + due.throttled from due
        where (f.hour, f.email, f.network) = (due.hour, due.email, due.network)
      ), ranked as (
        select *, row_number() over (partition by hour order by times desc, email, network) as rank from due
      )
      select to_json(hour) #>> '{}' as hour, sum(times)::integer as times,
        count(distinct email) filter (where email <> '')::integer as tried_emails,
        count(distinct network) filter (where network <> '')::integer as networks,
        json_agg(concat_ws(' ', nullif(email, ''), nullif(network, '')) || ': ' || times order by rank)
          filter (where rank <= ${maxNamed}) as most_failures
      from ranked group by hour order by hour`)
    const removed = await tx.db
      .delete(failedSignIns)
      .where(lt(failedSignIns.hour, new Date(thisHour.getTime() - retentionMs)))
    if (rows.length === 0) tx.skipAudit()
    else
      await tx.recordAll(
        rows.map(({ hour, ...counts }) => ({
          log,
          description: 'further sign-ins refused',
          attributes: { hour: new Date(hour).toISOString(), ...counts },
        })),
      )
    return { summaries: rows.length, removed: removed.rowCount ?? 0 }
  })
