import { externalDomainChange } from '@kustos/contract/external-domains'
import { revertAccessOf } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import { roleChange } from '@kustos/contract/users'
import { externalDomains, logEntries } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { editExternalDomain } from '../external-domains/index.ts'
import { rejectOutdatedRevert, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, forbidden, notFound } from '../platform/errors.ts'
import { editRole, listRoles } from '../users/index.ts'
import { type LoggedChange, rejectTakenFqdn, revertWeb } from '../webs/index.ts'

type Revert = (context: Context, id: number, made: LoggedChange) => Promise<void>

const reverts: Readonly<Record<string, Revert>> = {
  web: (context, id, made) =>
    rejectTakenFqdn(() =>
      withAudit(context, async (tx) => {
        // The opposite of a deletion, which needs it as well.
        if (made.description === 'deleted') await tx.assertConfirmed()
        await revertWeb(tx, id, made)
      }),
    ),
  async external_domain(context, id, { old, attributes }) {
    const [row] = await context.db.select().from(externalDomains).where(eq(externalDomains.id, id))
    if (!row) throw notFound('external_domain_not_found', { id })
    await rejectOutdatedRevert(context, { type: 'external_domain', id }, row, ownFields(old, attributes))
    const { fqdn, customer, domainprovider, updated_at } = row
    // Rejected if it changes meanwhile.
    const version = updated_at.toISOString()
    const input = externalDomainChange.safeParse({
      fqdn,
      customer,
      domainprovider,
      ...old,
      updated_at: version,
    })
    if (!input.success) throw conflict('change_not_revertible')
    await editExternalDomain(context, id, input.data)
  },
  async role(context, id, { old, attributes }) {
    await context.assertConfirmed?.(context.db)
    const role = (await listRoles(context)).find((one) => one.id === id)
    if (!role) throw notFound('role_not_found', { id })
    await rejectOutdatedRevert(context, { type: 'role', id }, { ...role }, ownFields(old, attributes))
    const { name, permissions, updated_at } = role
    const input = roleChange.safeParse({ name, permissions, ...old, updated_at })
    if (!input.success) throw conflict('change_not_revertible')
    await editRole(context, id, input.data)
  },
}

/** The changed fields, without what else the entry says. */
const ownFields = (old: LoggedChange['old'], attributes: LoggedChange['attributes']) =>
  Object.fromEntries(Object.keys(old).map((field) => [field, attributes[field]]))

/**
 * Reverts the change of a log entry with a change of its own, which names the entry.
 * @throws DomainError not-found; forbidden without the permission for the opposite change; unconfirmed; conflict if a field has
 * changed since, or if the entry is no change that can be reverted
 */
export async function revertChange(context: Context, id: number): Promise<void> {
  const [entry] = await context.db.select().from(logEntries).where(eq(logEntries.id, id))
  if (!entry) throw notFound('log_entry_not_found', { id })
  const { subject_type, subject_id, description, properties } = entry
  const access = revertAccessOf(entry)
  const revert = reverts[subject_type ?? '']
  if (access === null || revert === undefined || subject_id === null) throw conflict('change_not_revertible')
  if (!can(context.actor, access)) throw forbidden('unauthorized')
  const { old = {}, attributes = {} } = properties
  await revert({ ...context, cause: { reverts: id } }, subject_id, { description, old, attributes })
}
