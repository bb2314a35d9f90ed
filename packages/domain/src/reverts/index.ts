import { findRevertRefusal, mayRevert, oppositeRouteOf } from '@kustos/contract/logs'
import type { Transaction } from '@kustos/database/client'
import { logEntries } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { conflict, forbidden, notFound } from '../platform/errors.ts'
import { findRevert } from './subjects.ts'

/**
 * Reverts the change of a log entry with a change of its own, which names the entry.
 * @throws DomainError not-found; forbidden without the permission for the opposite change; unconfirmed if that needs a recently
 * entered password; conflict if a field has changed since, or if the entry is no change that can be reverted
 */
export async function revertChange(context: Context, id: number): Promise<void> {
  const [entry] = await context.db.select().from(logEntries).where(eq(logEntries.id, id))
  if (!entry) throw notFound('log_entry_not_found', { id })
  const { subject_type, subject_id, description, properties } = entry
  const refusal = findRevertRefusal(entry)
  if (refusal !== null) throw conflict(refusal)
  const opposite = oppositeRouteOf(entry)
  const revert = findRevert(subject_type, description)
  if (opposite === null || revert === undefined || subject_id === null)
    throw conflict('change_not_revertible')
  // What the route of the opposite change requires, checked in the transaction as there.
  const readActor = async (tx: Transaction) => {
    const actor = (await context.readActor?.(tx)) ?? context.actor
    if (actor === null || !mayRevert(actor, entry)) throw forbidden('unauthorized')
    if (opposite.confirmation === 'required') await context.assertConfirmed?.(tx)
    return actor
  }
  // Nobody else learns anything about the subject.
  await readActor(context.db)
  const { old = {}, attributes = {} } = properties
  await revert({ ...context, readActor, cause: { reverts: id } }, subject_id, {
    id,
    created_at: entry.created_at,
    description,
    old,
    attributes,
  })
}
