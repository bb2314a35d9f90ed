import { randomUUID } from 'node:crypto'
import { isTransient, type Transaction } from '@kustos/database/client'
import { leases } from '@kustos/database/tables'
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from './context.ts'
import { toError } from './errors.ts'

/** Without a heartbeat for this long a holder counts as dead, and its lease can be taken over. */
const leaseTtlSeconds = 8
export const heartbeatMs = 1_000

/** By the database's clock, so the clocks of the workers do not matter. */
export const leaseExpiry = sql`clock_timestamp() + make_interval(secs => ${leaseTtlSeconds})`

/** Another execution has taken the lease over: this one must write nothing more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/**
 * Works under a lease, which is renewed until the work ends. Every transaction of the work checks the lease: `withAudit`
 * does so by itself, others call `assertLease` first.
 * @param name of what is worked on, such as `alert 7`
 * @param work is given a context that carries the lease, and a signal that also ends once the lease is lost
 * @returns null where another process holds the lease, or has taken it over
 */
export async function withLease<T>(
  context: Context,
  name: string,
  signal: AbortSignal,
  work: (context: Context, signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const { db } = context
  const holder = randomUUID()
  const isOwn = and(eq(leases.name, name), eq(leases.holder, holder))
  const { rowCount } = await db
    .insert(leases)
    .values({ name, holder, expires_at: leaseExpiry })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder, expires_at: leaseExpiry },
      setWhere: sql`${leases.expires_at} < clock_timestamp()`,
    })
  if (rowCount === 0) return null

  const lost = new AbortController()
  const renew = async () => {
    const renewed = await db.update(leases).set({ expires_at: leaseExpiry }).where(isOwn)
    if (renewed.rowCount === 0) lost.abort(new LeaseLostError(name))
  }
  const heartbeat = setInterval(() => {
    // While the database is unavailable, nobody can take over the lease.
    renew().catch((error: unknown) => isTransient(error) || lost.abort(toError(error)))
  }, heartbeatMs)
  const assertLease = async (tx: Transaction) => {
    // Locked until the transaction ends, so a takeover waits for what it writes.
    const [own] = await tx.select({ name: leases.name }).from(leases).where(isOwn).for('share')
    if (!own) throw new LeaseLostError(name)
  }
  try {
    return await work({ ...context, assertLease }, AbortSignal.any([signal, lost.signal]))
  } catch (error) {
    if (error instanceof LeaseLostError || lost.signal.reason instanceof LeaseLostError) return null
    throw error
  } finally {
    clearInterval(heartbeat)
    // A lease that cannot be released expires.
    await db
      .delete(leases)
      .where(isOwn)
      .catch((error: unknown) => {
        if (!isTransient(error)) throw error
      })
  }
}

/** Removes leases that could not be released and that nobody has taken over since. */
export async function purgeLeases({ db }: Context): Promise<{ readonly leases: number } | null> {
  const { rowCount } = await db
    .delete(leases)
    .where(sql`${leases.expires_at} < clock_timestamp() - interval '1 day'`)
  return rowCount ? { leases: rowCount } : null
}
