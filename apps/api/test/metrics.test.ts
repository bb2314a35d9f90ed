import { openDatabase } from '@kustos/database/client'
import {
  alerts,
  deployments,
  incidents,
  inspections,
  logEntries,
  probeRounds,
  webs,
} from '@kustos/database/tables'
import { testDatabase, testRedis } from '@kustos/database/testing'
import { sealLog } from '@kustos/domain/logs'
import { openRegistry } from '@kustos/domain/metrics'
import { createContext } from '@kustos/domain/platform/context'
import { openExternalServices } from '@kustos/domain/services'
import { sql } from 'drizzle-orm'
import { Gauge, Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'
import { findSample, parsePrometheusText } from './prometheus-text.ts'

const database = await testDatabase()
const redis = await testRedis()
const token = 'a-token-of-some-length'

async function scrape(origin: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${origin}/metrics`, { headers })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return parsePrometheusText(await response.text())
}

describe('access to metrics', async () => {
  const withoutToken = await listen(database)
  const withToken = await listen(database, { metricsToken: token, trustProxy: ['127.0.0.0/8', '10.0.0.0/8'] })
  const requestMetrics = (origin: string, headers: Record<string, string>) =>
    fetch(`${origin}/metrics`, { headers })

  it('allows a program on this machine, in the Prometheus format', async () => {
    const response = await requestMetrics(withoutToken, {})
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await requestMetrics(withToken, {})).status).toBe(200)
  })

  it.each([
    { 'x-forwarded-for': '203.0.113.5' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '127.0.0.1, 203.0.113.5' },
    { 'x-forwarded-for': '::1, 10.1.2.3' },
    { 'x-forwarded-for': '' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
  ])('is denied to clients behind a proxy, whatever their headers say: %o', async (headers) => {
    const [rejected, challenged] = await Promise.all([
      requestMetrics(withoutToken, headers),
      requestMetrics(withToken, headers),
    ])
    expect([rejected.status, challenged.status]).toEqual([403, 401])
    expect(challenged.headers.get('www-authenticate')).toBe('Bearer')
    expect(await rejected.json()).toEqual({
      message: 'Metrics are for this machine alone: METRICS_TOKEN is not set.',
    })
    expect(await challenged.json()).toEqual({
      message: 'Metrics take the token of METRICS_TOKEN, as a Bearer token.',
    })
  })

  it('allows clients with the token, from any address', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.5' }
    expect((await requestMetrics(withToken, { ...forwarded, authorization: `Bearer ${token}` })).status).toBe(
      200,
    )
    for (const wrong of [
      '',
      token,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      'Bearer ',
      `Basic ${token}`,
    ])
      expect((await requestMetrics(withToken, { ...forwarded, authorization: wrong })).status).toBe(401)
    expect((await requestMetrics(withoutToken, { ...forwarded, authorization: 'Bearer null' })).status).toBe(
      403,
    )
  })
})

it('counts requests by route pattern, and unknown routes as one', async () => {
  const origin = await listen(database)
  for (const path of [
    '/api/webs/4711',
    '/api/webs/4712',
    '/api/no-such/4713',
    '/api/wp-login.php',
    '/%',
    '/api/%E0',
  ])
    await fetch(origin + path)
  await fetch(`${origin}/api/login`, { method: 'POST' })
  await fetch(`${origin}/wp-login.php`, { method: 'PROPFIND' })
  const found = await scrape(origin)
  const count = (labels: Record<string, string>) =>
    findSample(found, 'kustos_http_request_duration_seconds', labels, '_count')
  expect(count({ route: '/api/webs/:id', method: 'GET', status: '4xx' })).toBe(2)
  expect(count({ route: '/api/login', method: 'POST' })).toBe(1)
  expect(count({ route: 'other', method: 'GET', status: '4xx' })).toBe(4)
  expect(count({ route: 'other', method: 'other' })).toBe(1)
  const text = await (await fetch(`${origin}/metrics`)).text()
  expect(text).not.toMatch(/webs\/471|wp-login|no-such|PROPFIND/)
})

it('counts open event streams and does not measure them as requests', async () => {
  const origin = await listen(database)
  await createUser(database, 'watcher@kustos.test', ['view webs'])
  const client = await signIn(origin, 'watcher@kustos.test')
  const streams = async () => findSample(await scrape(origin), 'kustos_event_streams')
  const ends = [new AbortController(), new AbortController()]
  for (const { signal } of ends) await client.fetch('/api/events', { signal })
  await fetch(`${origin}/api/events`)
  expect(await streams()).toBe(2)
  for (const end of ends) end.abort()
  await expect.poll(() => streams()).toBe(0)
  const text = await (await fetch(`${origin}/metrics`)).text()
  expect(text).not.toMatch(
    /duration_seconds_count\{route="\/api\/events",method="GET",status="(2xx|aborted)"/,
  )
})

const backends = [{ name: 'Postgres', url: undefined }, ...(redis ? [{ name: 'Redis', url: redis.url }] : [])]

describe.each(backends)('with jobs in $name', ({ name, url }) => {
  it('counts jobs by queue and state, once for several scrapes in a short time', async () => {
    const services = await openExternalServices(
      { BITBUCKET_URL: 'http://127.0.0.1:9', ...(url !== undefined && { REDIS_URL: url }) },
      { databaseUrl: database.url, onError: () => undefined },
    )
    onTestFinished(() => services.close())
    const { queues } = services.deployments
    const job = (id: string, delayMs = 0) => ({
      queue: 'deployment',
      name: 'none',
      id: name + id,
      data: {},
      delayMs,
    })
    for (const added of [job('a'), job('b'), job('c', 60_000)]) await queues.add(added)
    let countCalls = 0
    const count = () => {
      countCalls += 1
      return queues.count()
    }
    const origin = await listen(database, {
      deployments: { ...services.deployments, queues: { ...queues, count } },
    })
    const [found] = await Promise.all([scrape(origin), scrape(origin)])
    await scrape(origin)
    const jobs = (queue: string, state: string) => findSample(found, 'kustos_queue_jobs', { queue, state })
    expect(countCalls).toBe(1)
    expect(['waiting', 'delayed', 'active', 'failed'].map((state) => jobs('deployment', state))).toEqual([
      2, 1, 0, 0,
    ])
    expect(jobs('notification', 'waiting')).toBe(0)
    expect(findSample(found, 'kustos_source_up', { source: 'queue' })).toBe(1)
  })
})

it('counts webs whose domain has moved away among those that are monitored and down', async () => {
  const read = async () => {
    const found = await scrape(await listen(database))
    return ['kustos_webs_monitored', 'kustos_webs_down'].map((name) => findSample(found, name, {}) ?? 0)
  }
  const [monitored = 0, down = 0] = await read()
  const since = new Date(Date.now() - 90_000)
  const address = {
    fqdn: 'moved.test',
    fqdn_ascii: 'moved.test',
    customer: 'ALPEN',
    configured_ip: '192.0.2.1',
  }
  const [web] = await database.db
    .insert(webs)
    .values({ ...address, status: 0, domain_status: 2, monitoring_web_active: true, down_since: since })
    .returning({ id: webs.id })
  const times = { started_at: since, last_failed_at: since, watched_until: since }
  const row = {
    web_id: web?.id ?? 0,
    kind: 'moved' as const,
    reason: 'the domain no longer resolves',
    ...times,
  }
  await database.db.insert(incidents).values(row)
  expect(await read()).toEqual([monitored + 1, down + 1])
  // The next round ends its incident.
  await database.db.update(webs).set({ monitoring_web_active: false })
  expect(await read()).toEqual([monitored, down])
  await database.db.delete(incidents)
  await database.db.delete(webs)
})

it('reports deployments, inspections, rounds, incidents and alerts from the database', async () => {
  const now = new Date()
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const rows = await database.db
    .insert(webs)
    .values(
      Array.from({ length: 3 }, (_, index) => ({
        fqdn: `metrics-${index}.test`,
        fqdn_ascii: `metrics-${index}.test`,
        customer: 'ALPEN',
        configured_ip: '192.0.2.1',
        status: 0,
        domain_status: 1,
        monitoring_web_active: true,
        down_since: index === 0 ? ago(90) : null,
      })),
    )
    .returning({ id: webs.id })
  const [first = { id: 0 }, second = { id: 0 }] = rows
  const row = { fqdn: 'metrics-0.test', created_at: now, updated_at: now }
  await database.db.insert(deployments).values([
    { ...row, kind: 'updateWeb', state: 'waiting', web_id: first.id, created_at: ago(15) },
    { ...row, kind: 'backupWeb', state: 'waiting', web_id: second.id, created_at: ago(5) },
    { ...row, kind: 'updateWeb', state: 'failed', web_id: first.id },
    { ...row, kind: 'backupWeb', state: 'failed', web_id: first.id },
  ])
  await database.db.insert(inspections).values([
    { web_id: first.id, kind: 'refresh', created_at: ago(25) },
    { web_id: second.id, kind: 'refresh', created_at: now },
    { web_id: first.id, kind: 'tracking', created_at: now, state: 'failed', ended_at: now },
  ])
  await database.db.insert(incidents).values({
    web_id: first.id,
    started_at: ago(90),
    last_failed_at: ago(30),
    watched_until: now,
    reason: 'no answer',
  })
  await sealLog(createContext(database), AbortSignal.timeout(60_000))
  const entry = { log_name: 'webs', description: 'updated', properties: {} }
  await database.db
    .insert(logEntries)
    .values([25, 5].map((seconds) => ({ ...entry, created_at: ago(seconds) })))
  const content = { title: 'metrics-0.test is down', lines: [] }
  await database.db.insert(alerts).values([
    { channel: 'slack', content, created_at: ago(40) },
    { channel: 'slack', content, created_at: ago(10) },
    { channel: 'mail', content, created_at: ago(900), sent_at: ago(899) },
  ])
  await database.db.insert(probeRounds).values([
    {
      round_at: ago(80),
      interval_seconds: 60,
      shards: 1,
      judged_at: ago(20),
      state: 'known',
      probes: 3,
      failures: 1,
    },
    { round_at: ago(20), interval_seconds: 60, shards: 1 },
  ])
  const found = await scrape(await listen(database, { now: () => now }))
  const value = (name: string, labels = {}) => findSample(found, `kustos_${name}`, labels)
  expect({
    waiting: value('deployments', { state: 'waiting' }),
    failed: value('deployments', { state: 'failed' }),
    running: value('deployments', { state: 'running' }),
    refreshes: value('inspections', { kind: 'refresh', state: 'waiting' }),
    audits: value('inspections', { kind: 'tracking', state: 'waiting' }),
    incidents: value('incidents_open'),
    monitored: value('webs_monitored'),
    down: value('webs_down'),
    slack: value('alerts_waiting', { channel: 'slack' }),
    mail: value('alerts_waiting', { channel: 'mail' }),
    probed: value('probe_round_webs'),
    failures: value('probe_round_failures'),
    known: value('probe_round_known'),
    database: value('source_up', { source: 'database' }),
  }).toEqual({
    waiting: 2,
    failed: 2,
    running: 0,
    refreshes: 2,
    audits: 0,
    incidents: 1,
    monitored: 3,
    down: 1,
    slack: 2,
    mail: 0,
    probed: 3,
    failures: 1,
    known: 1,
    database: 1,
  })
  expect(value('probe_round_age_seconds')).toBeCloseTo(20, 1)
  expect(value('probe_round_duration_seconds')).toBeCloseTo(60, 1)
  expect(value('probe_round_finished_timestamp_seconds')).toBeCloseTo(ago(20).getTime() / 1000, 1)
  expect(value('probe_round_interval_seconds')).toBe(60)
  expect(value('deployments_oldest_waiting_age_seconds')).toBeCloseTo(15, 1)
  expect(value('inspections_oldest_waiting_age_seconds', { kind: 'refresh' })).toBeCloseTo(25, 1)
  expect(value('inspections_oldest_waiting_age_seconds', { kind: 'tracking' })).toBe(0)
  expect(value('alerts_oldest_age_seconds')).toBeCloseTo(40, 1)
  expect(value('log_unsealed_age_seconds')).toBeCloseTo(25, 1)
  expect(value('database_pool_connections')).toBeGreaterThan(0)
  expect(value('database_pool_connections')).toBeLessThanOrEqual(value('database_pool_max') ?? 0)
})

it('reports how long alerts have waited that a summary stands for, which gets newer with each of them', async () => {
  await database.db.delete(alerts)
  const now = new Date()
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const row = { channel: 'slack', content: { title: 'x', lines: [] }, incidents: [] }
  const event = { type: 'summary', severity: 'info', incidents: [] } as const
  const summarise = async (ages: readonly number[], more: object = {}) => {
    const [summary] = await database.db
      .insert(alerts)
      .values({ ...row, event, created_at: ago(Math.min(...ages)), ...more })
      .returning({ id: alerts.id })
    await database.db
      .insert(alerts)
      .values(
        ages.map((age) => ({ ...row, created_at: ago(age), sent_at: now, summary_id: summary?.id ?? 0 })),
      )
  }
  await summarise([7_200, 5_400], { sent_at: now })
  await summarise([3_600, 1_800, 60])
  const found = await scrape(await listen(database, { now: () => now }))
  expect(findSample(found, 'kustos_alerts_oldest_age_seconds')).toBeCloseTo(3_600, 1)
})

it('reports process metrics and the missing source while the database is down', async () => {
  const unavailable = openDatabase('postgres://kustos@127.0.0.1:9/kustos')
  onTestFinished(() => unavailable.close())
  const registry = openRegistry('api', 'abc123')
  const origin = await listen(
    { ...database, ...unavailable, url: database.url },
    { database: unavailable, registry },
  )
  const found = await scrape(origin)
  expect(findSample(found, 'kustos_source_up', { source: 'database' })).toBe(0)
  expect(found.get('kustos_webs_down')?.samples).toEqual([])
  expect(found.get('kustos_deployments')?.samples).toEqual([])
  expect(findSample(found, 'kustos_build_info', { program: 'api', revision: 'abc123' })).toBe(1)
  expect(findSample(found, 'process_resident_memory_bytes')).toBeGreaterThan(0)
})

it('escapes labels', async () => {
  const registry = new Registry()
  const odd = 'a "quoted" \\ and\na second line, with {braces}'
  new Gauge({ name: 'odd', help: 'Back\\slash', labelNames: ['is'], registers: [registry] }).set(
    { is: odd },
    1,
  )
  const found = await scrape(await listen(database, { registry }))
  expect(findSample(found, 'odd', { is: odd })).toBe(1)
})

it('scrapes 10,000 webs', async () => {
  await database.db.execute(sql`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip, status, domain_status, monitoring_web_active)
    select 'many' || n || '.test', 'many' || n || '.test', 'ALPEN', '192.0.2.7', 0, 1, true
    from generate_series(1, 10000) n`)
  const origin = await listen(database)
  const measureScrape = async () => {
    const start = performance.now()
    await (await fetch(`${origin}/metrics`)).text()
    return (performance.now() - start).toFixed(1)
  }
  const first = await measureScrape()
  process.stdout.write(`A scrape with 10,000 webs: ${first} ms, the next one ${await measureScrape()} ms\n`)
  expect(findSample(await scrape(origin), 'kustos_webs_monitored')).toBeGreaterThanOrEqual(10_000)
})
