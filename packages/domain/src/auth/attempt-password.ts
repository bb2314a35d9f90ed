import { message } from '@kustos/contract/messages'
import { users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { type FailedSignIn, recordFailedSignIn } from '../logs/index.ts'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { networkOf } from '../platform/network.ts'
import { type Counter, returnAttempt, takeAttempt } from './attempts.ts'
import { verifyPassword } from './passwords.ts'

/** A browser in which users have signed in before, as its signed cookie says. */
export interface Device {
  readonly id: string
  readonly userIds: readonly number[]
}

/** Who enters a password. */
export interface Visitor {
  readonly address: string
  /** Null if nobody has signed in there before. */
  readonly device: Device | null
  readonly userAgent: string | undefined
}

interface User {
  readonly id: number
  readonly hash: string
}

interface EnteredPassword {
  /** In lower case. */
  readonly email: string
  /** Null if nobody has this e-mail. */
  readonly user: User | null
  readonly password: string
  /** How a failure is logged. */
  readonly refusal: FailedSignIn['description']
}

/** A password that was right when it was checked. */
export interface RightPassword {
  readonly user: User
  readonly counters: readonly Counter[]
  readonly failure: FailedSignIn
  /** Whether the user has signed in before in this browser. */
  readonly isKnownDevice: boolean
}

/**
 * Checks a password, in the same time for an unknown e-mail. Wrong ones are counted and recorded.
 * @returns null if it is wrong; otherwise what `acceptPassword` needs
 * @throws DomainError too-many, even if the password is right
 */
export async function attemptPassword(
  context: Context,
  { email, user, password, refusal }: EnteredPassword,
  { address, device }: Visitor,
): Promise<RightPassword | null> {
  const knownDevice = user && device?.userIds.includes(user.id) ? device.id : null
  const claim = { email, network: networkOf(address), knownDevice }
  const attempt = await takeAttempt(context, claim)
  if (!attempt.isAllowed) {
    const { of, retryAfterSeconds } = attempt
    await withAudit(context, (tx) =>
      recordFailedSignIn(tx, { ...of, address, isThrottled: true, description: refusal }),
    )
    throw new DomainError('too-many', message('too_many_attempts'), { retryAfterSeconds })
  }
  const failure = { ...claim, address, isThrottled: false, description: refusal }
  const isRight = await verifyPassword(user?.hash ?? null, password)
  if (user && isRight)
    return { user, counters: attempt.counters, failure, isKnownDevice: knownDevice !== null }
  await withAudit(context, (tx) => recordFailedSignIn(tx, failure))
  return null
}

/**
 * Returns the attempt, in the transaction that the right password was needed for. A simultaneous change of the password
 * waits for that transaction, and so does another sign-in of the user, so that neither misses the other's session.
 * @returns false, and records a failure, if the password has changed since it was checked
 */
export async function acceptPassword(
  tx: AuditTransaction,
  { user, counters, failure }: RightPassword,
  { returnsAttempt = true }: { readonly returnsAttempt?: boolean } = {},
): Promise<boolean> {
  const [now] = await tx.db
    .select({ hash: users.password_hash, deletedAt: users.deleted_at })
    .from(users)
    .where(eq(users.id, user.id))
    .for('no key update')
  if (now === undefined || now.deletedAt !== null || now.hash !== user.hash) {
    await recordFailedSignIn(tx, failure)
    return false
  }
  if (returnsAttempt) await returnAttempt(tx, counters)
  return true
}

/** Returns the attempt after its transaction was rolled back, because the change was refused for another reason. */
export const returnAcceptedAttempt = (context: Context, { counters }: RightPassword): Promise<void> =>
  returnAttempt(context, counters)
