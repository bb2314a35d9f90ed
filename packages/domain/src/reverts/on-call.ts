import { alertChannelChange } from '@kustos/contract/alert-channels'
import { alertRouteChange } from '@kustos/contract/alert-routes'
import { rotaChange } from '@kustos/contract/rotas'
import { alertChannels, rotas, users } from '@kustos/database/tables'
import { isNull } from 'drizzle-orm'
import { z } from 'zod'
import { editAlertChannel, listAlertChannels } from '../alert-channels/index.ts'
import {
  editAlertRoute,
  listAlertRoutes,
  nameWithId,
  orderRoutesInTransaction,
} from '../alert-routes/index.ts'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type LoggedChange, parseLogged, rejectOutdatedRevert } from '../platform/logged-change.ts'
import { editRota, listRotas } from '../rotas/index.ts'
import { finderOf } from './find-by-name.ts'
import { rejectUnlessLast } from './reject-unless-last.ts'

// The log has names, the forms have ids.

const names = z.array(z.string())
const loggedSteps = z.object({
  steps: z.array(z.object({ after_minutes: z.int(), channels: names, rotas: names })).optional(),
})
const loggedUsers = z.object({ users: names.optional() })
const loggedOrder = z.object({ order: names })

export async function revertAlertRoute(context: Context, id: number, made: LoggedChange): Promise<void> {
  const route = (await listAlertRoutes(context)).find((one) => one.id === id)
  if (!route) throw notFound('alert_route_not_found', { id })
  const stepsWith = <T>(value: (of: { readonly id: number; readonly name: string }) => T) =>
    route.steps.map(({ after_minutes, channels, rotas }) => ({
      after_minutes,
      channels: channels.map(value),
      rotas: rotas.map(value),
    }))
  const now = { ...route, steps: stepsWith(({ name }) => name) }
  await rejectOutdatedRevert(context, { type: 'alert_route', id }, now, made)
  const old = parseLogged(loggedSteps, made.old)
  const idOfChannel = await idsByName(context, alertChannels, 'alert_channel_gone')
  const idOfRota = await idsByName(context, rotas, 'rota_gone', 'rota_ambiguous')
  const steps =
    old.steps?.map((step) => ({
      ...step,
      channels: step.channels.map(idOfChannel),
      rotas: step.rotas.map(idOfRota),
    })) ?? stepsWith((of) => of.id)
  // The first step has no delay, which forms do not say.
  const withDelay = steps.map((step) => ({ ...step, after_minutes: Math.max(1, step.after_minutes) }))
  await editAlertRoute(
    context,
    id,
    parseLogged(alertRouteChange, { ...route, ...made.old, steps: withDelay }),
  )
}

export const revertRouteOrder = (context: Context, id: number, made: LoggedChange): Promise<void> =>
  withAudit(context, async (tx) => {
    await lockInTransaction(tx.db, 'alert-routes')
    await rejectUnlessLast(tx, { type: 'alert_route_order', id }, made, ['updated'], 'order')
    const { order } = parseLogged(loggedOrder, made.old)
    const named = (await listAlertRoutes(tx)).flatMap((route) => [
      { id: route.id, name: route.name },
      { id: route.id, name: nameWithId(route) },
    ])
    const find = finderOf(named, 'alert_route_gone', 'alert_route_ambiguous')
    await orderRoutesInTransaction(tx, order.map(find))
  })

/** Secrets stay as they are. */
export async function revertAlertChannel(context: Context, id: number, made: LoggedChange): Promise<void> {
  const channel = (await listAlertChannels(context)).find((one) => one.id === id)
  if (!channel) throw notFound('alert_channel_not_found', { id })
  await rejectOutdatedRevert(context, { type: 'alert_channel', id }, { ...channel }, made)
  await editAlertChannel(context, null, id, parseLogged(alertChannelChange, { ...channel, ...made.old }))
}

export async function revertRota(context: Context, id: number, made: LoggedChange): Promise<void> {
  const rota = (await listRotas(context)).find((one) => one.id === id)
  if (!rota) throw notFound('rota_not_found', { id })
  const now = { ...rota, users: rota.users.map(({ email }) => email) }
  await rejectOutdatedRevert(context, { type: 'rota', id }, now, made)
  const old = parseLogged(loggedUsers, made.old)
  const existing = await context.db
    .select({ id: users.id, name: users.email })
    .from(users)
    .where(isNull(users.deleted_at))
  const ids = old.users?.map(finderOf(existing, 'user_gone')) ?? rota.users.map((user) => user.id)
  await editRota(context, id, parseLogged(rotaChange, { ...rota, ...made.old, users: ids }))
}

const idsByName = async (
  { db }: Context,
  table: typeof alertChannels | typeof rotas,
  gone: 'alert_channel_gone' | 'rota_gone',
  ambiguous?: 'rota_ambiguous',
) => finderOf(await db.select({ id: table.id, name: table.name }).from(table), gone, ambiguous)
