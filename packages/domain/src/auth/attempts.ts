import type { Database } from '@kustos/database/client'
import { signInLimits } from '@kustos/database/tables'
import { and, eq, getTableName, lt, lte, sql } from 'drizzle-orm'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context, Scope } from '../platform/context.ts'

/** Failed attempts that are allowed in the time after the first one. An office shares its address. */
const limits = {
  briefly: { points: 5, duration: 60 },
  ofEmail: { points: 50, duration: 3600 },
  ofAddress: { points: 100, duration: 3600 },
} as const

/** Who tries to sign in. */
export interface Visitor {
  /** In lower case. */
  readonly email: string
  /** The `networkOf` the visitor's address. */
  readonly network: string
  /** The id of the device if this user has signed in there before. */
  readonly knownDevice: string | null
}

/** A counter that an attempt has increased. */
export interface Counter {
  readonly key: string
  readonly latestExpiryMs: number
}

export type Attempt =
  | { readonly isAllowed: true; readonly counters: readonly Counter[] }
  | {
      readonly isAllowed: false
      readonly retryAfterSeconds: number
      /** Whose limit is exhausted. One of both is empty if it is that of all e-mails or networks. */
      readonly of: Pick<Visitor, 'email' | 'network'>
    }

/**
 * Strangers share the limits of an e-mail and of an address. A known device has limits of its own, so that strangers
 * cannot exhaust them (OWASP, Slow Down Online Guessing Attacks with Device Cookies). Keys of an e-mail begin with it.
 */
const countersOf = ({ email, network, knownDevice }: Visitor) =>
  knownDevice === null
    ? [
        { key: network, limit: limits.ofAddress, of: { email: '', network } },
        { key: `${email} ${network}`, limit: limits.briefly, of: { email, network } },
        { key: `${email} everywhere`, limit: limits.ofEmail, of: { email, network: '' } },
      ]
    : [
        { key: `${email} ${knownDevice} briefly`, limit: limits.briefly, of: { email, network: '' } },
        { key: `${email} ${knownDevice}`, limit: limits.ofEmail, of: { email, network: '' } },
      ]

/**
 * Takes one of the remaining attempts before the password is checked, so simultaneous guesses cannot exceed the
 * limit. Simultaneous correct sign-ins count as well: letting them wait would let guessers keep calls open.
 */
export async function takeAttempt({ database, db }: Context, visitor: Visitor): Promise<Attempt> {
  const counters: Counter[] = []
  for (const { key, limit, of } of countersOf(visitor)) {
    const { consumedPoints, msBeforeNext } = await openLimiter(database.pool, limit)
      .consume(key)
      .catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal
        throw refusal
      })
    counters.push({ key, latestExpiryMs: Date.now() + limit.duration * 1000 })
    if (consumedPoints <= limit.points) continue
    await returnAttempt({ db }, counters)
    return { isAllowed: false, retryAfterSeconds: Math.ceil(msBeforeNext / 1000), of }
  }
  return { isAllowed: true, counters }
}

const openLimiter = (pool: Context['database']['pool'], limit: { points: number; duration: number }) =>
  new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: getTableName(signInLimits),
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: '',
    ...limit,
  })

/**
 * Does not count an attempt whose password was correct or was not checked. The limiter's own `reward` would start the next
 * period with less than nothing if this one has just ended, which allows more guesses.
 */
export async function returnAttempt({ db }: Pick<Scope, 'db'>, counters: readonly Counter[]): Promise<void> {
  for (const { key, latestExpiryMs } of counters)
    await db
      .update(signInLimits)
      .set({ points: sql`${signInLimits.points} - 1` })
      .where(and(eq(signInLimits.key, key), lte(signInLimits.expire, latestExpiryMs)))
}

/** Ends what failed attempts have locked for an e-mail; the limit of addresses stays. */
export async function clearAttempts({ db }: Scope, email: string): Promise<void> {
  await db.delete(signInLimits).where(sql`starts_with(${signInLimits.key}, ${`${email.toLowerCase()} `})`)
}

/** Removes the counters of periods that have ended. */
export async function forgetAttempts(db: Database, now: Date): Promise<number> {
  const removed = await db
    .delete(signInLimits)
    .where(lt(signInLimits.expire, now.getTime()))
    .returning({ key: signInLimits.key })
  return removed.length
}
