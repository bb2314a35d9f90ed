import type { Database } from '@kustos/database/client'
import { signInAttempts } from '@kustos/database/tables'
import { and, eq, gt, lt, or, sql } from 'drizzle-orm'
import type { Scope } from '../context.ts'
import { DomainError } from '../errors.ts'

const minute = 60_000
const hour = 60 * minute

/**
 * Failures allowed for one e-mail from one address within a minute, from all addresses within an hour; and from one
 * address for all e-mails: an office shares its address, and mistypes less than whoever tries one password on everybody.
 */
const limits = {
  perAddress: { count: 5, window: minute },
  overall: { count: 50, window: hour },
  address: { count: 100, window: hour },
} as const

/**
 * Takes one of the attempts that an e-mail has left, before the password is looked at: of many guesses at once no more
 * than the limit get through. The price: of many right ones at once no more get through either, since nobody knows yet
 * that they are right, and to let them wait would have guessers hold as many calls open as they like.
 * @param address what counts as one: `networkOf` the visitor's
 * @returns the attempt's id
 * @throws DomainError too-many, with the seconds until the next attempt
 */
export function takeAttempt(db: Database, email: string, address: string, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    // Always in this order, so that two never wait for each other.
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
      throw new DomainError('too-many', 'Too Many Attempts.', { retryAfter: Math.ceil(wait / 1000) })
    const [taken] = await tx.insert(signInAttempts).values({ email, address, attempted_at: now }).returning()
    if (!taken) throw new Error('The attempt was not kept')
    return taken.id
  })
}

/** Milliseconds until the oldest of the last `count` attempts leaves the window; 0 where fewer lie in it. */
function waitFor(
  attempts: readonly { at: Date }[],
  limit: { count: number; window: number },
  now: Date,
): number {
  const blocking = attempts.at(-limit.count)
  return blocking ? Math.max(0, blocking.at.getTime() + limit.window - now.getTime()) : 0
}

/** Gives an attempt back: its password was right. */
export async function returnAttempt({ db }: Scope, id: number): Promise<void> {
  await db.delete(signInAttempts).where(eq(signInAttempts.id, id))
}

/** Forgets the attempts that no limit looks at any more. */
export async function forgetAttempts(db: Database, now: Date): Promise<number> {
  const gone = await db
    .delete(signInAttempts)
    .where(lt(signInAttempts.attempted_at, new Date(now.getTime() - hour)))
    .returning({ id: signInAttempts.id })
  return gone.length
}
