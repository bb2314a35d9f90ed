import { message } from '@kustos/contract/messages'
import type { Database } from '@kustos/database/client'
import { signInAttempts } from '@kustos/database/tables'
import { and, eq, gt, lt, or, sql } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'

const minute = 60_000
const hour = 60 * minute

/**
 * Failed attempts allowed for one e-mail from one address, for one e-mail from all addresses, and from one address for all
 * e-mails. The last limit is higher since an office shares its address.
 */
const limits = {
  perAddress: { count: 5, window: minute },
  overall: { count: 50, window: hour },
  address: { count: 100, window: hour },
} as const

/**
 * Takes one of the remaining attempts before the password is checked, so simultaneous guesses cannot exceed the
 * limit. Simultaneous correct sign-ins count as well: letting them wait would let guessers keep calls open.
 * @param address the `networkOf` the visitor's address
 * @returns the id of the attempt
 * @throws DomainError too-many, with the seconds until the next attempt
 */
export function takeAttempt(db: Database, email: string, address: string, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    // Always in this order, to prevent deadlocks.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${address}, 1))`)
    const attempts = await tx
      .select({
        email: signInAttempts.email,
        address: signInAttempts.address,
        at: signInAttempts.attempted_at,
      })
      .from(signInAttempts)
      .where(
        and(
          or(eq(signInAttempts.email, email), eq(signInAttempts.address, address)),
          gt(signInAttempts.attempted_at, new Date(now.getTime() - hour)),
        ),
      )
      .orderBy(signInAttempts.attempted_at)
    const ofEmail = attempts.filter((attempt) => attempt.email === email)
    const ofAddress = attempts.filter((attempt) => attempt.address === address)
    const ofBoth = ofEmail.filter((attempt) => attempt.address === address)
    const waits = [
      waitFor(ofEmail, limits.overall, now),
      waitFor(ofBoth, limits.perAddress, now),
      waitFor(ofAddress, limits.address, now),
    ]
    const wait = Math.max(...waits)
    if (wait > 0)
      throw new DomainError('too-many', message('too_many_attempts'), {
        retryAfterSeconds: Math.ceil(wait / 1000),
      })
    const [taken] = await tx.insert(signInAttempts).values({ email, address, attempted_at: now }).returning()
    if (!taken) throw new Error('The attempt was not inserted')
    return taken.id
  })
}

/** @returns milliseconds until another attempt is allowed */
function waitFor(
  attempts: readonly { at: Date }[],
  limit: { count: number; window: number },
  now: Date,
): number {
  const blocking = attempts.at(-limit.count)
  return blocking ? Math.max(0, blocking.at.getTime() + limit.window - now.getTime()) : 0
}

/** Does not count an attempt whose password was correct. */
export async function returnAttempt({ db }: Scope, id: number): Promise<void> {
  await db.delete(signInAttempts).where(eq(signInAttempts.id, id))
}

/** Removes the attempts that no limit considers any more. */
export async function forgetAttempts(db: Database, now: Date): Promise<number> {
  const gone = await db
    .delete(signInAttempts)
    .where(lt(signInAttempts.attempted_at, new Date(now.getTime() - hour)))
    .returning({ id: signInAttempts.id })
  return gone.length
}
