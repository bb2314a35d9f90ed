import type { Permission } from '@kustos/contract/permissions'
import {
  alertChannels,
  alertEscalations,
  alertRoutes,
  alerts,
  attentionHandling,
  incidents,
  maintenanceOccurrences,
  maintenanceScopes,
  maintenanceWindows,
  nodes,
  probeRounds,
  type RouteStep,
  rolePermissions,
  roles,
  rotas,
  statistics,
  userRoles,
  users,
  webs,
} from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { asc, isNotNull, ne } from 'drizzle-orm'
import { escalateIncidents } from '../../src/monitoring/escalate.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { addChannel, addRoute as insertRoute } from './add-route.ts'
import { openAlerting } from './alert-environment.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

export const idOf = ([row]: readonly { readonly id: number }[]): number => {
  if (!row) throw new Error('The row was not stored')
  return row.id
}

export const step = (after_minutes: number, to: Partial<RouteStep>): RouteStep => ({
  after_minutes,
  channels: [],
  rotas: [],
  ...to,
})

/** Functions that let webs go down round by round, and escalate their incidents by alert routes. */
export async function openEscalation(database: TestDatabase) {
  const { db } = database
  const { addRound, at } = await openRounds(database)
  const { tools, listAlerts } = await openAlerting(database)

  let anna = 0
  async function addUser(name: string, permission: Permission, more: { deleted_at?: Date } = {}) {
    const role = idOf(await db.insert(roles).values({ name }).returning({ id: roles.id }))
    const row = { email: `${name}@agency.test`, name, password_hash: '', ...more }
    const user = idOf(await db.insert(users).values(row).returning({ id: users.id }))
    await db.insert(userRoles).values({ user_id: user, role_id: role })
    await db.insert(rolePermissions).values({ role_id: role, permission })
    return user
  }

  const addRoute = (steps: readonly RouteStep[], more: Partial<typeof alertRoutes.$inferInsert> = {}) =>
    insertRoute(db, { steps, ...more })
  /** Deletes what earlier tests have stored. @returns the ids of a web, a rota of two users, two channels, and these users */
  async function reset() {
    for (const table of [
      alertEscalations,
      alertRoutes,
      rotas,
      alerts,
      attentionHandling,
      maintenanceOccurrences,
    ])
      await db.delete(table)
    for (const table of [maintenanceWindows, maintenanceScopes]) await db.delete(table)
    await db.delete(incidents).where(isNotNull(incidents.web_id))
    await db.delete(incidents)
    for (const table of [statistics, probeRounds, webs, nodes, alertChannels, userRoles, users])
      await db.delete(table)
    await db.delete(roles).where(ne(roles.name, 'admin'))
    const web = idOf(
      await db
        .insert(webs)
        .values(monitoredWeb('a.test', { monitoring_web_reporting_channel: 'slack', customer: 'ALPEN' }))
        .returning({ id: webs.id }),
    )
    anna = await addUser('anna', 'view monitoring web statistic')
    const ben = await addUser('ben', 'view monitoring web statistic')
    const rota = idOf(
      await db
        .insert(rotas)
        .values({
          name: 'Night',
          user_ids: [anna, ben],
          handover: 'weekly',
          weekday: 1,
          time: '09:00',
          first_day: '2026-11-16',
        })
        .returning({ id: rotas.id }),
    )
    const chat = await addChannel(db, 'Chat')
    const pager = await addChannel(db, 'Pager')
    return { web, rota, chat, pager, anna, ben }
  }

  /** On Friday at 11:00 in Rome, when Anna is on call. */
  const minute = (minutes: number) =>
    new Date(Date.parse('2026-11-20T10:00:00Z') + minutes * 60_000).toISOString()
  /** A round in the given minute, evaluated half a minute after its end. */
  const round = async (at_: number, seen: Readonly<Record<number, Seen>>) => {
    await addRound(minute(at_), seen)
    await evaluateRound(at(minute(at_ + 1.6)), tools, settings)
  }
  const goDown = async (...ids: number[]) => {
    await round(0, Object.fromEntries(ids.map((id) => [id, 'down' as const])))
  }
  const escalate = (at_: number, broken?: typeof tools) => escalateIncidents(at(minute(at_)), broken ?? tools)
  /** By id of its channel, if it is one of the console. */
  const sent = async () => {
    const rows = await db.select().from(alerts).orderBy(asc(alerts.id))
    return rows.map(
      ({ channel, channel_id, recipient, content }) =>
        `${channel_id ?? recipient ?? channel}: ${content.title}`,
    )
  }
  const acknowledge = (id: number, started = minute(0)) =>
    db
      .insert(attentionHandling)
      .values({
        kind: 'web_down',
        subject_id: id,
        since: new Date(started),
        acknowledged_by: anna,
        acknowledged_at: new Date(minute(2)),
        action: 'acknowledged',
        updated_at: new Date(minute(2)),
      })
      .onConflictDoUpdate({
        target: [attentionHandling.kind, attentionHandling.subject_id, attentionHandling.since],
        set: { acknowledged_at: new Date(minute(2)), acknowledged_by: anna },
      })
  /** The good web keeps rounds from being unknown. */
  const other = async () =>
    idOf(await db.insert(webs).values(monitoredWeb('up.test')).returning({ id: webs.id }))

  /** Plans maintenance of a web from one minute to another. */
  async function plan(id: number, from: number, to: number) {
    const scope = { web_ids: [id], node_ids: [], customers: [], tags: [] }
    const scope_id = idOf(
      await db.insert(maintenanceScopes).values(scope).returning({ id: maintenanceScopes.id }),
    )
    const times = { starts_at: new Date(minute(from)), ends_at: new Date(minute(to)) }
    const window = { reason: 'x', scope_id, ...times, weekdays: [], month_days: [], planned_by: anna }
    const window_id = idOf(
      await db
        .insert(maintenanceWindows)
        .values({ ...window, repeats: 'once' })
        .returning({ id: maintenanceWindows.id }),
    )
    await db.insert(maintenanceOccurrences).values({ window_id, scope_id, ...times })
  }

  return {
    addRound,
    at,
    tools,
    listAlerts,
    addUser,
    addRoute,
    reset,
    minute,
    round,
    goDown,
    escalate,
    sent,
    acknowledge,
    other,
    plan,
  }
}
