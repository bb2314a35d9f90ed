import { message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { maxOverrideDays, maxRotaOverrides, type NewOverride, rotasRoutes } from '@kustos/contract/rotas'
import { rotaOverrides, users } from '@kustos/database/tables'
import { and, eq, gt } from 'drizzle-orm'
import { type AuditTransaction, entriesOf, withAudit } from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts'
import { lockRota } from './change-rota.ts'
import { noticeShift } from './notice-shifts.ts'
import { readResponders } from './responders.ts'

const entry = entriesOf('rotas', 'rota')

const dayMs = 24 * 3_600_000

/**
 * Puts a user on call for a time.
 * @throws DomainError not-found; forbidden for another user without the right to edit rotas; invalid, by field, for a user who may
 * not see incidents and for a time that is over or too long; conflict if the rota has too many that are not over
 */
export const addOverride = (
  context: Context,
  rota: number,
  { user, from, to, note }: NewOverride,
): Promise<{ readonly id: number }> =>
  withAudit(context, async (tx) => {
    const { name } = await lockRota(tx, rota)
    rejectOthers(tx, user)
    const responder = (await readResponders(tx.db)).get(user)
    if (!responder) throw invalid({ user: message('rota_user_unavailable', { id: user }) })
    const now = tx.now()
    const starts_at = from === null || Date.parse(from) < now.getTime() ? now : new Date(from)
    const ends_at = new Date(to)
    if (ends_at <= starts_at) throw invalid({ to: message('time_not_ahead') })
    if (ends_at.getTime() - starts_at.getTime() > maxOverrideDays * dayMs)
      throw invalid({ to: message('too_many_days', { max: maxOverrideDays }) })
    const known = and(eq(rotaOverrides.rota_id, rota), gt(rotaOverrides.ends_at, now))
    if ((await tx.db.$count(rotaOverrides, known)) >= maxRotaOverrides)
      throw conflict('rota_overrides_full', { max: maxRotaOverrides })
    const [row] = await tx.db
      .insert(rotaOverrides)
      .values({
        rota_id: rota,
        user_id: user,
        starts_at,
        ends_at,
        note,
        created_by: requireActor(tx).id,
        created_at: now,
      })
      .returning({ id: rotaOverrides.id })
    if (!row) throw new Error('The override was not inserted')
    await noticeShift(tx, rota)
    await tx.record({
      ...entry('override added', rota),
      attributes: {
        name,
        user: responder.email,
        from: starts_at.toISOString(),
        to: ends_at.toISOString(),
        note,
      },
    })
    return { id: row.id }
  })

/** @throws DomainError not-found; forbidden for one of another user without the right to edit rotas */
export const deleteOverride = (
  context: Context,
  { id: rota, override }: { readonly id: number; readonly override: number },
): Promise<void> =>
  withAudit(context, async (tx) => {
    const { name } = await lockRota(tx, rota)
    const which = and(eq(rotaOverrides.id, override), eq(rotaOverrides.rota_id, rota))
    const [row] = await tx.db.select().from(rotaOverrides).where(which)
    if (!row) throw notFound('rota_override_not_found', { id: override })
    rejectOthers(tx, row.user_id)
    const { starts_at, ends_at, note } = row
    await tx.db.delete(rotaOverrides).where(which)
    await noticeShift(tx, rota)
    await tx.record({
      ...entry('override deleted', rota),
      attributes: { name },
      old: {
        user: await emailOf(tx, row.user_id),
        from: starts_at.toISOString(),
        to: ends_at.toISOString(),
        note,
      },
    })
  })

async function emailOf({ db }: AuditTransaction, id: number): Promise<string | undefined> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id))
  return row?.email
}

function rejectOthers(tx: AuditTransaction, user: number): void {
  if (user !== tx.actor?.id && !can(tx.actor, rotasRoutes.editRota.access)) throw forbidden('unauthorized')
}
