import { listedShiftDays, type Rota, type Shift } from '@kustos/contract/rotas'
import type { Transaction } from '@kustos/database/client'
import { alertRoutes, rotaOverrides, rotas, users } from '@kustos/database/tables'
import { and, asc, gt, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { type OnCall, onCallAt, type RotaSchedule, shiftsWithin } from './on-call.ts'
import { type Responder, readResponders } from './responders.ts'

export interface FoundRota {
  readonly row: typeof rotas.$inferSelect
  readonly schedule: RotaSchedule
  /** Those that are not over. */
  readonly overrides: readonly (typeof rotaOverrides.$inferSelect)[]
}

/** Rotas by name, with their overrides that are not over at a time. */
export async function readRotas(db: Transaction, at: Date, which?: SQL): Promise<FoundRota[]> {
  const rows = await db.select().from(rotas).where(which).orderBy(asc(rotas.name), asc(rotas.id))
  const ids = rows.map(({ id }) => id)
  const overrides =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(rotaOverrides)
          .where(and(isAnyOf(rotaOverrides.rota_id, ids), gt(rotaOverrides.ends_at, at)))
          .orderBy(asc(rotaOverrides.starts_at), asc(rotaOverrides.id))
  const byRota = Map.groupBy(overrides, ({ rota_id }) => rota_id)
  return rows.map((row) => ({ row, schedule: scheduleOf(row), overrides: byRota.get(row.id) ?? [] }))
}

const scheduleOf = ({
  user_ids,
  handover,
  weekday,
  time,
  first_day,
}: Pick<
  typeof rotas.$inferSelect,
  'user_ids' | 'handover' | 'weekday' | 'time' | 'first_day'
>): RotaSchedule => ({ users: user_ids, handover, weekday, time, first_day })

/** Who is on call at a time, by the rota's id; without rotas that have nobody. */
export async function readOnCall(
  db: Transaction,
  ids: readonly number[],
  at: Date,
): Promise<ReadonlyMap<number, { readonly rota: string; readonly user: Responder | null }>> {
  if (ids.length === 0) return new Map()
  const found = await readRotas(db, at, isAnyOf(rotas.id, [...ids]))
  const responders = await readResponders(db)
  const available = new Set(responders.keys())
  return new Map(
    found.map(({ row, schedule, overrides }) => {
      const user = onCallAt(schedule, overrides, available, at)?.user ?? null
      return [row.id, { rota: row.name, user: user === null ? null : (responders.get(user) ?? null) }]
    }),
  )
}

/** All rotas by name, with who is on call now and in the next weeks. */
export async function listRotas({ db, now }: Pick<Scope, 'db' | 'now'>): Promise<Rota[]> {
  const at = now()
  const found = await readRotas(db, at)
  const responders = await readResponders(db)
  const named = await readNames(
    db,
    found.flatMap(({ row, overrides }) => [
      ...row.user_ids,
      ...overrides.flatMap(({ user_id, created_by }) => [user_id, created_by ?? user_id]),
    ]),
  )
  const routes = await db
    .select({ id: alertRoutes.id, name: alertRoutes.name, steps: alertRoutes.steps })
    .from(alertRoutes)
    .orderBy(asc(alertRoutes.position), asc(alertRoutes.id))
  const available = new Set(responders.keys())
  const until = new Date(at.getTime() + listedShiftDays * 24 * 3_600_000)
  const toShift = ({ user, from, to, override }: OnCall): Shift => ({
    user: user === null ? null : (named.get(user) ?? null),
    from: from.toISOString(),
    to: to.toISOString(),
    override_id: override,
  })
  return found.map(({ row, schedule, overrides }) => {
    const shifts = shiftsWithin(schedule, overrides, available, at, until)
    const [first] = shifts
    const isRunning = first !== undefined && first.from <= at
    return {
      id: row.id,
      name: row.name,
      users: row.user_ids.flatMap((id) => {
        const user = named.get(id)
        return user === undefined ? [] : [{ ...user, can_be_on_call: available.has(id) }]
      }),
      handover: row.handover,
      weekday: row.weekday,
      time: row.time,
      first_day: row.first_day,
      now: isRunning ? toShift(first) : null,
      next: (isRunning ? shifts.slice(1) : shifts).map(toShift),
      overrides: overrides.flatMap(({ id, user_id, starts_at, ends_at, note, created_by }) => {
        const user = named.get(user_id)
        if (user === undefined) return []
        return [
          {
            id,
            user,
            from: starts_at.toISOString(),
            to: ends_at.toISOString(),
            note,
            created_by: named.get(created_by ?? 0) ?? null,
          },
        ]
      }),
      routes: routes
        .filter(({ steps }) => steps.some((step) => step.rotas.includes(row.id)))
        .map(({ id, name }) => ({ id, name })),
      updated_at: row.updated_at.toISOString(),
    }
  })
}

/** Also those of deleted users. */
async function readNames(db: Transaction, ids: readonly number[]): Promise<ReadonlyMap<number, Responder>> {
  const rows = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(sql`${users.id} = any(${sql.param([...new Set(ids)])}::int[])`)
  return new Map(rows.map((row) => [row.id, row]))
}
