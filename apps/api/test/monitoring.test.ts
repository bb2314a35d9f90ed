import { monitoringRoutes } from '@kustos/contract/monitoring'
import type { WebList } from '@kustos/contract/webs'
import {
  incidents,
  nodes,
  probeRounds,
  statistics,
  transientFailure,
  uptimeDays,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { dayAfter, dayOf, ensurePartition } from '@kustos/domain/monitoring'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
const now = new Date('2026-11-20T10:00:30Z')
const origin = await listen(database, {
  now: () => now,
  monitoring: { intervalSeconds: 60, internalMarker: '.intern.' },
})
await createUser(database, 'staff@kustos.test', ['view monitoring web statistic', 'view webs'])
const staff = await signIn(origin, 'staff@kustos.test')

const row = (fqdn: string, more: Partial<typeof webs.$inferInsert> = {}) => ({
  fqdn,
  fqdn_ascii: fqdn,
  customer: 'ALPEN',
  configured_ip: '192.0.2.7',
  status: 0,
  domain_status: 1,
  ...more,
})
const minutesAgo = (ago: number) => new Date(Date.parse('2026-11-20T10:00:00Z') - ago * 60_000)

let up = 0
let down = 0
let gone = 0
beforeAll(async () => {
  const [node] = await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1.plesk.test' }).returning()
  const rows = await db
    .insert(webs)
    .values([
      row('up.test', { node_id: node?.id, sysuser: 'up', comment: 'Alles gut', http_status_code: 200 }),
      row('down.test', { http_status_code: 503, down_since: minutesAgo(2) }),
      row('paused.test', { monitoring_web_active: false, down_since: minutesAgo(9) }),
      row('x.intern.test'),
      row('extern.test', { domain_status: 2 }),
      row('gone.test', { deleted_at: now }),
    ])
    .returning({ id: webs.id })
  ;[up = 0, down = 0] = rows.map(({ id }) => id)
  gone = rows.at(-1)?.id ?? 0
  await ensurePartition(db, '2026-11-20')
  for (const ago of [4, 3, 2, 1, 0]) {
    const round_at = minutesAgo(ago)
    await db.insert(probeRounds).values({
      round_at,
      interval_seconds: 60,
      shards: 1,
      judged_at: minutesAgo(ago - 1),
      state: 'known',
      probes: 2,
      failures: ago < 3 ? 1 : 0,
    })
    const probe = { round_at, created_at: round_at, response_ms: 80, status: 200, outcome: 'up' }
    const failure =
      ago < 3
        ? {
            status: null,
            response_ms: null,
            outcome: 'down',
            reason: 'the connection was refused',
            reason_code: 'connection_refused',
          }
        : ago === 3
          ? { status: 503, outcome: transientFailure }
          : {}
    await db.insert(statistics).values([
      { ...probe, web_id: up },
      { ...probe, ...failure, web_id: down },
    ])
  }
  await db.insert(incidents).values([
    {
      web_id: up,
      started_at: minutesAgo(600),
      ended_at: minutesAgo(590),
      last_failed_at: minutesAgo(591),
      watched_until: minutesAgo(590),
      status: 500,
      reason: 'the server responded with status 500',
    },
    {
      web_id: down,
      started_at: minutesAgo(2),
      last_failed_at: minutesAgo(0),
      watched_until: minutesAgo(-1),
      reason: 'the connection was refused',
      reason_code: 'connection_refused',
    },
  ])
  await db.insert(uptimeDays).values({
    web_id: up,
    day: '2026-11-18',
    downtime: 600,
    known: 86_400,
    checks: 1440,
    failures: 10,
    response_ms: 70,
    response_p95_ms: 120,
  })
})

/** Reads a response and checks it against the contract. */
async function read<Name extends keyof typeof monitoringRoutes>(
  name: Name,
  path: string,
): Promise<z.output<(typeof monitoringRoutes)[Name]['response']>> {
  const body = await staff.json(path)
  expect(monitoringRoutes[name].response.parse(body)).toEqual(body)
  return body as z.output<(typeof monitoringRoutes)[Name]['response']>
}

test('lists statistics newest first, page by page', async () => {
  const { data } = await read('listStatistics', '/api/monitoring/webs/statistics')
  expect(data).toHaveLength(10)
  expect(data[0]).toEqual({
    web: { id: down, fqdn: 'down.test' },
    status: null,
    created_at: '2026-11-20T10:00:00.000Z',
    response_time_ms: null,
    reason: 'the connection was refused',
    reason_code: 'connection_refused',
    reason_params: null,
  })
  const { data: page } = await read('listStatistics', '/api/monitoring/webs/statistics?limit=3')
  expect(page).toHaveLength(2)
  const { data: older } = await read(
    'listStatistics',
    `/api/monitoring/webs/statistics?before=${page.at(-1)?.created_at}&web=${up}`,
  )
  expect(older.map((probe) => probe.created_at)).toEqual(
    [1, 2, 3, 4].map((ago) => minutesAgo(ago).toISOString()),
  )
})

test('reports a failing status as the reason', async () => {
  const { data } = await read('listStatistics', `/api/monitoring/webs/statistics?web=${down}`)
  expect(data.map(({ status, reason, reason_code: code }) => [status, reason, code])).toEqual([
    ...Array(3).fill([null, 'the connection was refused', 'connection_refused']),
    [503, 'the server responded with status 503', 'status_down'],
    [200, null, null],
  ])
})

test('returns one row per day of uptime, from the first probe to today', async () => {
  const { data } = await read(
    'listUptime',
    `/api/monitoring/webs/uptime?web=${up}&begin=2026-05-20&end=2026-11-20`,
  )
  expect(data.map(({ date, downtime }) => ({ date, downtime }))).toEqual([
    { date: '2026-11-18', downtime: 600 },
    { date: '2026-11-19', downtime: 0 },
    { date: '2026-11-20', downtime: 600 },
  ])
  const { data: ofDown } = await read(
    'listUptime',
    `/api/monitoring/webs/uptime?web=${down}&begin=2026-11-20&end=2026-11-20`,
  )
  expect(ofDown).toMatchObject([{ downtime: 150, checks: 5, failures: 3, uptime: 50 }])
})

const year = 'begin=2025-11-20&end=2026-11-20'
test.each([
  ['statistics?limit=0', 422, 'limit'],
  ['statistics?limit=10001', 422, 'limit'],
  ['statistics?limit=ten', 422, 'limit'],
  ['statistics?before=yesterday', 422, 'before'],
  ['uptime?web=1', 422, 'begin'],
  ['uptime?begin=2026-11-01&end=2026-11-02', 422, 'web'],
  ['uptime?web=1&begin=2026-11-31&end=2026-12-02', 422, 'begin'],
  ['uptime?web=1&begin=2026-1-1&end=2026-12-02', 422, 'begin'],
  ['uptime?web=1&begin=2026-11-02&end=2026-11-01', 422, 'end'],
  ['uptime?web=1&begin=2025-11-19&end=2026-11-20', 422, 'end'],
  ['uptime?web=1;drop&begin=2026-11-01&end=2026-11-02', 422, 'web'],
  [`uptime?web=1&${year}`, 200, ''],
  [`uptime?web=99999&${year}`, 404, ''],
  ['uptime?web=1&begin=0000-12-31&end=0001-01-02', 422, 'begin'],
  ['uptime?web=1&begin=0001-01-01&end=0001-01-02', 200, ''],
  ['uptime?web=1&begin=9999-12-30&end=9999-12-31', 200, ''],
  ['99999', 404, ''],
])('responds to GET /api/monitoring/webs/%s with %i', async (path, status, field) => {
  const response = await staff.fetch(`/api/monitoring/webs/${path}`)
  expect(response.status).toBe(status)
  if (status === 422)
    expect(await response.json()).toMatchObject({ errors: { [field]: [expect.any(String)] } })
})

test('lists incidents of one web, or all open ones', async () => {
  const { data } = await read('listIncidents', '/api/monitoring/incidents')
  expect(data.map(({ web, downtime }) => [web.fqdn, downtime])).toEqual([
    ['down.test', 150],
    ['up.test', 600],
  ])
  const { data: open } = await read('listIncidents', '/api/monitoring/incidents?open=1')
  expect(open).toMatchObject([{ web: { id: down }, ended_at: null }])
  const { data: ofUp } = await read('listIncidents', `/api/monitoring/incidents?web=${up}`)
  expect(ofUp).toMatchObject([{ web: { id: up, node: 'n1', customer: 'ALPEN' }, status: 500 }])
  const { data: older } = await read(
    'listIncidents',
    `/api/monitoring/incidents?before=${data[0]?.id}&limit=1`,
  )
  expect(older).toMatchObject([{ web: { id: up } }])
})

test('shows what was measured of a deleted web only to users who may restore webs', async () => {
  await createUser(database, 'restorer@kustos.test', ['view monitoring web statistic', 'restore webs'])
  const restorer = await signIn(origin, 'restorer@kustos.test')
  const round_at = minutesAgo(4)
  await db
    .insert(statistics)
    .values({ web_id: gone, round_at, created_at: round_at, status: 200, outcome: 'up', response_ms: 1 })
  await db.insert(incidents).values({
    web_id: gone,
    started_at: minutesAgo(60),
    ended_at: minutesAgo(50),
    last_failed_at: minutesAgo(50),
    watched_until: minutesAgo(50),
    reason: 'the connection was refused',
  })
  const days = 'begin=2026-11-20&end=2026-11-20'
  for (const [path, rowOf] of [
    ['statistics', '/api/monitoring/webs/statistics?limit=100'],
    ['statistics of the web', `/api/monitoring/webs/statistics?web=${gone}`],
    ['incidents', '/api/monitoring/incidents'],
    ['incidents of the web', `/api/monitoring/incidents?web=${gone}`],
  ] as const) {
    const shownTo = async (client: ApiClient) =>
      (await client.json<{ data: { web: { id: number } }[] }>(rowOf)).data.some(({ web }) => web.id === gone)
    expect([path, await shownTo(staff), await shownTo(restorer)]).toEqual([path, false, true])
  }
  const uptime = `/api/monitoring/webs/uptime?web=${gone}&${days}`
  expect((await staff.fetch(uptime)).status).toBe(404)
  expect(await restorer.json(uptime)).toMatchObject({ data: [{ checks: 1 }] })
})

test('lists active, online webs that are not internal', async () => {
  const { data, nodes: all } = await read('listMonitoredWebs', '/api/monitoring/webs')
  expect(data.map((web) => web.fqdn)).toEqual(['up.test', 'down.test', 'paused.test'])
  expect(data).toMatchObject([
    {
      node: 'n1',
      sysuser: 'up',
      comment: 'Alles gut',
      http_status_code: 200,
      response_time_ms: 80,
      down_reason: null,
    },
    {
      http_status_code: 503,
      response_time_ms: null,
      down_since: minutesAgo(2).toISOString(),
      down_reason: 'the connection was refused',
      down_reason_code: 'connection_refused',
    },
    // Results from before its monitoring was switched off are not shown.
    { monitoring_web_active: 0, http_status_code: null, probed_at: null, down_since: null },
  ])
  const { data: listed } = await staff.json<WebList>('/api/webs')
  expect(listed.filter((web) => web.down_since !== null).map((web) => web.fqdn)).toEqual(['down.test'])
  expect(all.map((node) => node.name)).toEqual(['n1'])
  expect(await read('readMonitoredWeb', `/api/monitoring/webs/${up}`)).toEqual(data[0])
})

test('counts monitored webs and those that are down', async () => {
  expect(await read('readMonitoring', '/api/monitoring/state')).toEqual({
    monitored: 2,
    down: 1,
    degraded: 0,
    interval: 60,
    last_round: { started_at: minutesAgo(0).toISOString(), probes: 2, failures: 1, state: 'known' },
  })
})

test('returns empty uptime for days without statistics', async () => {
  await db.delete(statistics).where(eq(statistics.web_id, down))
  const today = dayOf(now)
  const { data } = await read(
    'listUptime',
    `/api/monitoring/webs/uptime?web=${down}&begin=${dayAfter(today, -30)}&end=${today}`,
  )
  expect(data).toEqual([])
})
