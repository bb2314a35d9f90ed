import { externalDomainChange } from '@kustos/contract/external-domains'
import { oppositeRouteOf } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import { roleChange } from '@kustos/contract/users'
import type { Transaction } from '@kustos/database/client'
import { externalDomains, logEntries } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { editExternalDomain } from '../external-domains/index.ts'
import { type LoggedChange, rejectOutdatedRevert, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, forbidden, notFound } from '../platform/errors.ts'
import { editRole, listRoles } from '../users/index.ts'
import { rejectTakenFqdn, revertWeb } from '../webs/index.ts'

type Revert = (context: Context, id: number, made: LoggedChange) => Promise<void>

// Domains and roles are changed by their usual verbs, which reject the revert if they change meanwhile.
const reverts: Readonly<Record<string, Revert>> = {
  web: (context, id, made) => rejectTakenFqdn(() => withAudit(context, (tx) => revertWeb(tx, id, made))),
  async external_domain(context, id, made) {
    const [row] = await context.db.select().from(externalDomains).where(eq(externalDomains.id, id))
    if (!row) throw notFound('external_domain_not_found', { id })
    await rejectOutdatedRevert(context, { type: 'external_domain', id }, row, made)
    const { fqdn, customer, domainprovider } = row
    const updated_at = row.updated_at.toISOString()
    const input = externalDomainChange.safeParse({ fqdn, customer, domainprovider, ...made.old, updated_at })
    if (!input.success) throw conflict('change_not_revertible')
    await editExternalDomain(context, id, input.data)
  },
  async role(context, id, made) {
    const role = (await listRoles(context)).find((one) => one.id === id)
    if (!role) throw notFound('role_not_found', { id })
    await rejectOutdatedRevert(context, { type: 'role', id }, { ...role }, made)
    const { name, permissions, updated_at } = role
    const input = roleChange.safeParse({ name, permissions, ...made.old, updated_at })
    if (!input.success) throw conflict('change_not_revertible')
    await editRole(context, id, input.data)
  },
}

/**
 * Reverts the change of a log entry with a change of its own, which names the entry.
 * @throws DomainError not-found; forbidden without the permission for the opposite change; unconfirmed if that needs a recently
 * entered password; conflict if a field has changed since, or if the entry is no change that can be reverted
 */
export async function revertChange(context: Context, id: number): Promise<void> {
  const [entry] = await context.db.select().from(logEntries).where(eq(logEntries.id, id))
  if (!entry) throw notFound('log_entry_not_found', { id })
  const { subject_type, subject_id, description, properties } = entry
  const opposite = oppositeRouteOf(entry)
  const revert = reverts[subject_type ?? '']
  if (opposite === null || revert === undefined || subject_id === null)
    throw conflict('change_not_revertible')
  // What the route of the opposite change requires, checked in the transaction as there.
  const readActor = async (tx: Transaction) => {
    const actor = (await context.readActor?.(tx)) ?? context.actor
    if (actor === null || !can(actor, opposite.access)) throw forbidden('unauthorized')
    if (opposite.confirmation === 'required') await context.assertConfirmed?.(tx)
    return actor
  }
  // Nobody else learns anything about the subject.
  await readActor(context.db)
  const { old = {}, attributes = {} } = properties
  await revert({ ...context, readActor, cause: { reverts: id } }, subject_id, {
    description,
    old,
    attributes,
  })
}
