import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'

/** Names work that only one transaction of all processes does at a time. */
export type LockName =
  | 'alert-channels'
  | 'alert-routes'
  | 'alert-summaries'
  | 'audits'
  | 'certificates'
  | 'deployments'
  | 'domain-expiries'
  | 'failed-sign-ins'
  | 'judgement'
  | 'log-seals'
  | 'new-webs'
  | 'packing'
  | 'periodic-tasks'
  | 'refreshes'
  | 'registrar'
  | 'repositories'
  | 'roll-up'
  | 'statistics'
  | 'system-users'
  | 'views'

/** Waits for the advisory lock and holds it until the transaction ends. */
export async function lockInTransaction(tx: Transaction, name: LockName): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`kustos.${name}`}))`)
}

/** Takes the advisory lock until the transaction ends. @returns false where another transaction holds it */
export async function tryLockInTransaction(tx: Transaction, name: LockName): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext(${`kustos.${name}`})) as locked`,
  )
  return rows[0]?.locked === true
}
