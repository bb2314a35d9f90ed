import { type AlertPreview, type alertRoutesRoutes, isWarning } from '@kustos/contract/alert-routes'
import type { ParsedInput } from '@kustos/contract/route'
import { alertChannels, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { readRouteNames, readRoutes, selectRoutes } from '../alert-routes/index.ts'
import { isMaintainedAt } from '../maintenance/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { readOnCall } from '../rotas/index.ts'
import { alertedWebColumns, listSubscribers } from './alerts/index.ts'

type Input = ParsedInput<(typeof alertRoutesRoutes)['previewAlert']>['body']

const minuteMs = 60_000

/** Who would be alerted of something at a time, if nobody acknowledged it. @throws DomainError not-found */
export async function previewAlert(
  context: Context,
  { web: id, severity, at: given }: Input,
): Promise<AlertPreview> {
  const { db, now } = context
  const at = given === null ? now() : new Date(given)
  const [web] = await db
    .select({
      customer: webs.customer,
      tags: webs.tags,
      node: webs.node_id,
      channels: alertedWebColumns.channels,
    })
    .from(webs)
    .where(and(eq(webs.id, id), visibleWebs(context)))
  if (!web) throw notFound('web_not_found', { id })
  const routes = selectRoutes(await readRoutes(db), web, severity, at)
  const names = await readRouteNames(db, routes)
  const subscribers = await listSubscribers(db)
  const reaches = await readPreviewedReach(context)
  const previewed = await Promise.all(
    routes.map(async (route) => ({
      id: route.id,
      name: route.name,
      replaces_channels: route.replaces_channels,
      continues: route.continues,
      steps: await previewSteps(
        context,
        isWarning(severity) ? route.steps.slice(0, 1) : route.steps,
        names.channels,
        reaches,
        at,
      ),
    })),
  )
  const isReplaced =
    routes.some(({ replaces_channels }) => replaces_channels) &&
    previewed.some(({ steps }) => steps.slice(0, 1).some(reaches))
  return {
    at: at.toISOString(),
    is_in_maintenance: await isMaintainedAt(db, id, at, now()),
    own_channels: isReplaced ? [] : [...web.channels],
    subscribers: subscribers.map(({ id: user, name, email }) => ({ id: user, name, email })),
    routes: previewed,
  }
}

type PreviewedStep = AlertPreview['routes'][number]['steps'][number]

/** @returns whether a step alerts anybody, as far as workers have stored which channels they are configured for */
async function readPreviewedReach({
  db,
}: Pick<Context, 'db'>): Promise<(step: Pick<PreviewedStep, 'channels' | 'on_call'>) => boolean> {
  const usable = await db
    .select({ id: alertChannels.id, kind: alertChannels.kind, origin: alertChannels.origin })
    .from(alertChannels)
    .where(isNull(alertChannels.missing_since))
  const ids = new Set(usable.map(({ id }) => id))
  const sendsMails = usable.some(({ kind, origin }) => kind === 'mail' && origin === 'configuration')
  return ({ channels, on_call }) =>
    channels.some(({ id }) => ids.has(id)) || (sendsMails && on_call.some(({ user }) => user !== null))
}

async function previewSteps(
  { db }: Pick<Context, 'db'>,
  steps: Awaited<ReturnType<typeof readRoutes>>[number]['steps'],
  channels: ReadonlyMap<number, string>,
  reaches: Awaited<ReturnType<typeof readPreviewedReach>>,
  at: Date,
): Promise<PreviewedStep[]> {
  const shown: PreviewedStep[] = []
  let minutes = 0
  for (const step of steps) {
    const before = shown.at(-1)
    // One that reaches nobody is followed by the next one at once.
    if (before === undefined || reaches(before)) minutes += step.after_minutes
    const onCall = await readOnCall(db, step.rotas, new Date(at.getTime() + minutes * minuteMs))
    shown.push({
      minutes,
      channels: step.channels.flatMap((id) => {
        const name = channels.get(id)
        return name === undefined ? [] : [{ id, name }]
      }),
      on_call: step.rotas.flatMap((id) => {
        const found = onCall.get(id)
        return found === undefined ? [] : [{ rota: { id, name: found.rota }, user: found.user }]
      }),
    })
  }
  return shown
}
