import { message } from '@kustos/contract/messages'
import type { NewRota, RotaChange } from '@kustos/contract/rotas'
import { rotas, users } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import { findRouteUsing } from '../alert-channels/index.ts'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, invalid, notFound } from '../platform/errors.ts'
import { noticeShift } from './notice-shifts.ts'
import { keepTurn } from './on-call.ts'
import { readResponders } from './responders.ts'

const entry = entriesOf('rotas', 'rota')

/** @throws DomainError invalid, for users, if one may not see incidents */
export const createRota = (context: Context, input: NewRota): Promise<{ readonly id: number }> =>
  withAudit(context, async (tx) => {
    await rejectUnavailable(tx, input.users)
    const [row] = await tx.db
      .insert(rotas)
      .values({ ...valuesOf(input), created_at: tx.now(), updated_at: tx.now() })
      .returning()
    if (!row) throw new Error('The rota was not inserted')
    await noticeShift(tx, row.id)
    await tx.record({ ...entry('created', row.id), attributes: await logged(tx, row) })
    return { id: row.id }
  })

/**
 * Changes a rota. If only its users change, who is on call now stays so until the next hand-over: the first day moves for that.
 * @throws DomainError not-found; conflict if it has changed since `updated_at`; invalid as for a new one
 */
export const editRota = (
  context: Context,
  id: number,
  { updated_at: seen, ...input }: RotaChange,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const row = await lockRota(tx, id)
    await rejectStaleWrite(tx, { type: 'rota', id }, 'rota', row.updated_at, seen)
    // Users who were in it may have been deleted since, and stay.
    await rejectUnavailable(
      tx,
      input.users.filter((user) => !row.user_ids.includes(user)),
    )
    const values = await keepingTurn(tx, row, valuesOf(input))
    const changed = difference(await logged(tx, row), await logged(tx, values))
    if (changed === null) return tx.skipAudit()
    await tx.db
      .update(rotas)
      .set({ ...values, updated_at: nextUpdatedAt(row, tx) })
      .where(eq(rotas.id, id))
    await noticeShift(tx, id)
    await tx.record({ ...entry('updated', id), ...changed })
  })

/** @throws DomainError not-found; conflict while an alert route uses it */
export const deleteRota = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const row = await lockRota(tx, id)
    const route = await findRouteUsing(tx.db, 'rotas', id)
    if (route !== null) throw conflict('rota_used', { route })
    await tx.db.delete(rotas).where(eq(rotas.id, id))
    await tx.record({ ...entry('deleted', id), old: await logged(tx, row) })
  })

/** Locked until the transaction ends, also by routes that are about to use it. @throws DomainError not-found */
export async function lockRota(tx: AuditTransaction, id: number): Promise<typeof rotas.$inferSelect> {
  const [row] = await tx.db.select().from(rotas).where(eq(rotas.id, id)).for('update')
  if (!row) throw notFound('rota_not_found', { id })
  return row
}

async function rejectUnavailable(tx: AuditTransaction, ids: readonly number[]): Promise<void> {
  const available = await readResponders(tx.db)
  const missing = ids.find((id) => !available.has(id))
  if (missing !== undefined) throw invalid({ users: message('rota_user_unavailable', { id: missing }) })
}

const valuesOf = ({ name, users: user_ids, handover, weekday, time, first_day }: NewRota) => ({
  name,
  user_ids,
  handover,
  weekday: handover === 'weekly' ? weekday : null,
  time,
  first_day,
})

type Values = ReturnType<typeof valuesOf>

/** Another hand-over or first day says itself whose turn it is. */
async function keepingTurn(tx: AuditTransaction, before: Values, values: Values): Promise<Values> {
  const isSame = (['handover', 'weekday', 'time', 'first_day'] as const).every(
    (field) => before[field] === values[field],
  )
  if (!isSame) return values
  const available = new Set((await readResponders(tx.db)).keys())
  const first_day = keepTurn({ ...before, users: before.user_ids }, values.user_ids, available, tx.now())
  return { ...values, first_day }
}

/** What users edit. */
async function logged(tx: AuditTransaction, row: Values) {
  const { name, user_ids, handover, weekday, time, first_day } = row
  const found = await tx.db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(sql`${users.id} = any(${sql.param(user_ids)}::int[])`)
  const emails = new Map(found.map(({ id, email }) => [id, email]))
  return { name, users: user_ids.map((id) => emails.get(id) ?? id), handover, weekday, time, first_day }
}
