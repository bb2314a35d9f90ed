import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openProber } from '@kustos/clients/probe'
import { startDnsServer } from '@kustos/clients/testing/dns'
import {
  checks,
  incidents,
  probeRounds,
  probeShards,
  statistics,
  transientFailure,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { dayOf } from '../../src/monitoring/day.ts'
import type { ProbeShard } from '../../src/monitoring/jobs.ts'
import { ensurePartition } from '../../src/monitoring/partitions.ts'
import { probeWebs } from '../../src/monitoring/probe-shard.ts'
import { openProbing } from '../../src/monitoring/probing.ts'
import { scheduleRound } from '../../src/monitoring/schedule.ts'
import { roundGraceMs } from '../../src/monitoring/settings.ts'
import { createContext } from '../../src/platform/context.ts'
import { monitoredWeb, openRounds, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addWebs, at, queues } = await openRounds(database)
const context = createContext(database)

/** Responses by host; all other hosts respond with 200. */
const responses = new Map<string, (response: ServerResponse) => void>()
const probedHosts: string[] = []
const webServer = createServer((request, response) => {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  probedHosts.push(host)
  const respond = responses.get(host)
  if (respond) respond(response)
  else response.end('well')
})
await new Promise<void>((resolve) => webServer.listen(0, '127.0.0.1', resolve))
const { port } = webServer.address() as AddressInfo
const connectTo = `:443:127.0.0.1:1,:80:127.0.0.1:${port}`
const prober = openProber({ connectTo, deadlineMs: 1_500 })
afterAll(async () => {
  await prober.close()
  webServer.closeAllConnections()
  await new Promise((resolve) => webServer.close(resolve))
})
const neverRespond = () => undefined
const respondWithError = (response: ServerResponse) => {
  response.statusCode = 503
  response.end()
}

const roundAt = new Date(Math.floor(Date.now() / 1000) * 1000)
const shard: ProbeShard = {
  round_at: roundAt.toISOString(),
  shard: 0,
  shards: 1,
  interval: 60,
  begins_at: roundAt.toISOString(),
  spread: 200,
}

beforeEach(async () => {
  responses.clear()
  probedHosts.length = 0
  announcements = 0
  await db.delete(incidents)
  await db.delete(statistics)
  await db.delete(probeRounds)
  await db.delete(webs)
  await ensurePartition(db, dayOf(roundAt))
  await db.insert(probeRounds).values({ round_at: roundAt, interval_seconds: 60, shards: 1 })
})

let announcements = 0
const openTestProbing = (confirmAfterMs = 150, by = prober) =>
  openProbing(by, {
    confirmAfterMs,
    onOpened: () => {
      announcements += 1
    },
  })
const probe = (signal = new AbortController().signal, confirmAfter = 150) =>
  probeWebs(context, openTestProbing(confirmAfter), settings, shard, signal)

async function outcomes(): Promise<Record<string, string>> {
  const rows = await db
    .select({ fqdn: webs.fqdn, outcome: statistics.outcome })
    .from(statistics)
    .innerJoin(webs, eq(webs.id, statistics.web_id))
  return Object.fromEntries(rows.map(({ fqdn, outcome }) => [fqdn, outcome]))
}

test('confirms a failure with a second probe and discards a transient one', async () => {
  await addWebs('good.test', 'bad.test', 'flaps.test')
  responses.set('bad.test', respondWithError)
  responses.set('flaps.test', (response) => {
    responses.delete('flaps.test')
    respondWithError(response)
  })
  expect(await probe()).toBe('done')
  expect(await outcomes()).toEqual({ 'good.test': 'up', 'bad.test': 'down', 'flaps.test': transientFailure })
  expect(probedHosts.filter((host) => host === 'bad.test')).toHaveLength(2)
  const rows = await db.select().from(webs)
  expect(Object.fromEntries(rows.map((web) => [web.fqdn, web.http_status_code]))).toEqual({
    'good.test': 200,
    'bad.test': 503,
    'flaps.test': 200,
  })
  expect(await db.select().from(probeShards)).toMatchObject([{ shard: 0, webs: 3 }])
})

test('leaves the facts of a web alone that is renamed while it is probed', async () => {
  await addWebs('former.test')
  responses.set('former.test', (response) => {
    const renamed = db.update(webs).set({ fqdn: 'renamed.test', fqdn_ascii: 'renamed.test' })
    void renamed.then(() => response.end('well'))
  })
  expect(await probe()).toBe('done')
  expect(await db.select().from(webs)).toMatchObject([{ fqdn: 'renamed.test', http_status_code: null }])
})

test('opens no incident of a web that is renamed while its former name fails', async () => {
  await addWebs('former.test', 'good.test')
  responses.set('former.test', (response) => {
    const renamed = db
      .update(webs)
      .set({ fqdn: 'renamed.test', fqdn_ascii: 'renamed.test' })
      .where(eq(webs.fqdn, 'former.test'))
    void renamed.then(() => respondWithError(response))
  })
  expect(await probe()).toBe('done')
  expect(probedHosts.filter((host) => host === 'former.test')).toHaveLength(2)
  expect(await outcomes()).toEqual({ 'good.test': 'up', 'renamed.test': 'unknown' })
  expect([await db.$count(incidents), announcements]).toEqual([0, 0])
})

test('leaves a certificate alone that a refresh stores while a probe sees none', async () => {
  await addWebs('renewed.test')
  const certificate = { cert_ca: 'Tyrol Trust', cert_expiration: new Date('2027-01-24T00:00:00Z') }
  responses.set('renewed.test', (response) => {
    const refreshed = db.update(webs).set(certificate)
    void refreshed.then(() => response.end('well'))
  })
  expect(await probe()).toBe('done')
  expect(await db.select().from(webs)).toMatchObject([{ http_status_code: 200, ...certificate }])
})

test('takes a web that has lost TLS as down, but not one that never had it', async () => {
  await addWebs('plain.test')
  await db.insert(webs).values(
    monitoredWeb('lost.test', {
      cert_ca: 'Tyrol Trust',
      cert_expiration: new Date('2026-12-24T00:00:00Z'),
    }),
  )
  await probe()
  expect(await outcomes()).toEqual({ 'plain.test': 'up', 'lost.test': 'down' })
  const [lost] = await db
    .select({ reason_code: statistics.reason_code, cert_expiration: webs.cert_expiration })
    .from(statistics)
    .innerJoin(webs, eq(webs.id, statistics.web_id))
    .where(eq(webs.fqdn, 'lost.test'))
  expect(lost).toEqual({ reason_code: 'tls_refused', cert_expiration: new Date('2026-12-24T00:00:00Z') })
})

test('does not take webs as down because the worker was frozen', async () => {
  await addWebs('good.test')
  let freezes = 0
  responses.set('good.test', (response) => {
    // Longer than the deadline of the probe, which ends before its response is read.
    if (++freezes <= 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    response.end('well')
  })
  expect(await probe()).toBe('done')
  expect(freezes).toBe(3)
  expect(await outcomes()).toEqual({ 'good.test': 'up' })
})

test('does not delay results because of webs that never respond', async () => {
  const dead = Array.from({ length: 50 }, (_, index) => `dead${index}.test`)
  await addWebs(...dead, 'good.test')
  for (const fqdn of dead) responses.set(fqdn, neverRespond)
  // So long that a busy machine stores the other result before.
  const patient = openProber({ connectTo, deadlineMs: 4_000 })
  onTestFinished(() => patient.close())
  let hasEnded = false
  const probing = probeWebs(
    context,
    openTestProbing(150, patient),
    settings,
    shard,
    new AbortController().signal,
  ).finally(() => {
    hasEnded = true
  })
  await vi.waitFor(async () => expect(await outcomes()).toMatchObject({ 'good.test': 'up' }), {
    timeout: 8_000,
  })
  expect(hasEnded).toBe(false)
  await probing
  const all = await outcomes()
  expect(Object.keys(all)).toHaveLength(51)
  const [row] = await db
    .select({
      status: statistics.status,
      reason: statistics.reason,
      reason_code: statistics.reason_code,
      reason_params: statistics.reason_params,
    })
    .from(statistics)
    .innerJoin(webs, eq(webs.id, statistics.web_id))
    .where(eq(webs.fqdn, 'dead7.test'))
  expect(row).toEqual({
    status: null,
    reason: 'no response within 4 s',
    reason_code: 'no_response_in_time',
    reason_params: { seconds: 4 },
  })
})

test('marks a failure as unknown if no web responded before its second probe', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `web${index}.test`)
  await addWebs(...names)
  for (const fqdn of names) responses.set(fqdn, respondWithError)
  await probe()
  expect(new Set(Object.values(await outcomes()))).toEqual(new Set(['unknown']))
})

test('asks the web that has answered last before it doubts the failures of all that follow', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `web${index}.test`)
  await addWebs('good.test', ...names)
  for (const fqdn of names) responses.set(fqdn, neverRespond)
  // It is alone in its round, so that nothing else of the round answers after the failures.
  await probe()
  expect(await outcomes()).toEqual({
    'good.test': 'up',
    ...Object.fromEntries(names.map((name) => [name, 'down'])),
  })
  expect(announcements).toBeGreaterThan(0)
})

test('asks the web that has answered last in the way in which it answers', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `web${index}.test`)
  const [good = 0] = await addWebs('good.test', ...names)
  for (const fqdn of names) responses.set(fqdn, neverRespond)
  // Its front page is none.
  await db.insert(checks).values({ web_id: good, settings: { path: '/health' } })
  responses.set('good.test', (response) => {
    response.statusCode = response.req.url === '/health' ? 200 : 404
    response.end('well')
  })
  await probe()
  expect(await outcomes()).toEqual({
    'good.test': 'up',
    ...Object.fromEntries(names.map((name) => [name, 'down'])),
  })
})

/** Responds only when the test says so, as other webs of the round do between the two probes of a failing one. */
function respondLater(host: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  responses.set(host, (response) => void promise.then(() => response.end('well')))
  return resolve
}

test('opens the incident of a confirmed failure at once if another web of the round has answered since', async () => {
  await addWebs('bad.test', 'good.test', 'hangs.test')
  const release = respondLater('hangs.test')
  const badFailed = Promise.withResolvers<void>()
  const goodAnswered = Promise.withResolvers<void>()
  responses.set('bad.test', async (response) => {
    response.once('finish', badFailed.resolve)
    if (probedHosts.filter((host) => host === 'bad.test').length > 1) await goodAnswered.promise
    respondWithError(response)
  })
  // Between the two failures of the other one.
  responses.set('good.test', async (response) => {
    response.once('finish', () => void sleep(50).then(goodAnswered.resolve))
    await badFailed.promise
    await sleep(50)
    response.end('well')
  })
  // It waits for the third web until the test is done with the others.
  const patient = openProber({ connectTo, deadlineMs: 40_000 })
  onTestFinished(() => patient.close())
  const { signal } = new AbortController()
  const probing = probeWebs(context, openTestProbing(150, patient), settings, shard, signal)
  await vi.waitFor(async () => expect(await db.select().from(incidents)).toHaveLength(1), 30_000)
  // The shard, and so the round, is still being probed.
  expect(await db.select().from(probeShards)).toEqual([])
  const [[incident], [web]] = await Promise.all([
    db.select().from(incidents),
    db.select().from(webs).where(eq(webs.fqdn, 'bad.test')),
  ])
  expect(incident).toMatchObject({ web_id: web?.id, ended_at: null, alerted_at: null, status: 503 })
  expect(web).toMatchObject({ http_status_code: 503, down_since: incident?.started_at })
  expect(announcements).toBe(1)
  release()
  await probing
})

test('leaves incidents to the evaluation of the round while nothing else of it answers', async () => {
  await addWebs('bad.test', 'worse.test')
  for (const fqdn of ['bad.test', 'worse.test']) responses.set(fqdn, respondWithError)
  await probe()
  expect(await outcomes()).toEqual({ 'bad.test': 'down', 'worse.test': 'down' })
  expect(await db.select().from(incidents)).toEqual([])
  expect(announcements).toBe(0)
})

test('needs no second probe for an open incident', async () => {
  await addWebs('good.test')
  await db.insert(webs).values(monitoredWeb('known.test', { down_since: roundAt }))
  responses.set('known.test', respondWithError)
  await probe()
  expect(await outcomes()).toEqual({ 'good.test': 'up', 'known.test': 'unconfirmed' })
  expect(probedHosts).toHaveLength(2)
})

test('needs two good probes to take a web as up again', async () => {
  await db
    .insert(webs)
    .values(
      ['back.test', 'flickers.test'].map((fqdn) =>
        monitoredWeb(fqdn, { down_since: roundAt, http_status_code: 503 }),
      ),
    )
  let visits = 0
  responses.set('flickers.test', (response) => {
    visits += 1
    if (visits === 1) response.end('well')
    else respondWithError(response)
  })
  const startedAt = Date.now()
  await probe()
  expect(await outcomes()).toEqual({ 'back.test': 'up', 'flickers.test': 'unconfirmed' })
  expect(probedHosts.toSorted()).toEqual(['back.test', 'back.test', 'flickers.test', 'flickers.test'])
  const [back] = await db
    .select({ at: statistics.created_at })
    .from(statistics)
    .innerJoin(webs, eq(webs.id, statistics.web_id))
    .where(eq(webs.fqdn, 'back.test'))
  // The outage ends with the first of them.
  expect((back?.at.getTime() ?? 0) - startedAt).toBeLessThan(Date.now() - startedAt - 140)
})

test('continues a handed-back shard with the remaining webs', async () => {
  await addWebs('first.test', 'failing.test', 'hangs.test')
  responses.set('failing.test', respondWithError)
  responses.set('hangs.test', neverRespond)
  const controller = new AbortController()
  const first = probe(controller.signal, 5_000)
  await expect.poll(() => probedHosts).toHaveLength(3)
  controller.abort()
  expect(await first).toEqual({ retryInMs: 0 })
  expect(await outcomes()).toEqual({ 'first.test': 'up', 'failing.test': 'unconfirmed' })
  responses.delete('hangs.test')
  probedHosts.length = 0
  expect(await probe()).toBe('done')
  expect(probedHosts.toSorted()).toEqual(['failing.test', 'hangs.test'])
  expect(await outcomes()).toEqual({ 'first.test': 'up', 'failing.test': 'down', 'hangs.test': 'up' })
  probedHosts.length = 0
  expect(await probe()).toBe('done')
  expect(probedHosts).toEqual([])
})

test('does not end a shard that came too late for some of its webs', async () => {
  await addWebs('first.test', 'second.test')
  // Half a second before its results are not evaluated any more.
  const late = new Date(Date.now() - 60_000 - roundGraceMs + 500)
  await ensurePartition(db, dayOf(late))
  await db.insert(probeRounds).values({ round_at: late, interval_seconds: 60, shards: 1 })
  const lateShard = { ...shard, round_at: late.toISOString(), begins_at: late.toISOString(), spread: 4_000 }
  const { signal } = new AbortController()
  expect(await probeWebs(context, openTestProbing(), settings, lateShard, signal)).toBe('done')
  expect(await outcomes()).toEqual({ 'first.test': 'up' })
  expect(await db.select().from(probeShards)).toEqual([])
})

test('loses no probe when connections to PostgreSQL break', async () => {
  await addWebs(...Array.from({ length: 30 }, (_, index) => `web${index}.test`))
  responses.set('web3.test', respondWithError)
  const probing = probe(undefined, 2_500)
  for (let attempt = 0; attempt < 6; attempt++) {
    await sleep(400)
    await database.owner.pool
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'kustos-test' and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined)
  }
  expect(await probing).toBe('done')
  // The pool may still hold a broken connection.
  const all = await vi.waitFor(outcomes, 30_000)
  expect(Object.keys(all)).toHaveLength(30)
  expect(all['web3.test']).toBe('down')
})

test('adds nothing to a round that was evaluated meanwhile', async () => {
  await addWebs('late.test')
  responses.set('late.test', (response) => void sleep(400).then(() => response.end()))
  const probing = probe()
  await expect.poll(() => probedHosts).toHaveLength(1)
  await db.update(probeRounds).set({ judged_at: new Date() })
  await probing
  expect(await outcomes()).toEqual({})
  expect(await db.select().from(probeShards), 'shards that were probed to the end').toEqual([])
})

test.each([
  ['a range of ids', (first: number) => ({ ids: { from: first + 1, to: first + 2 } }), ['b.test']],
  ['an open range of ids', (first: number) => ({ ids: { from: first + 1, to: null } }), ['b.test', 'c.test']],
  [
    'the rest of the id, as by a scheduler of the last release',
    (first: number) => ({ shards: 3, shard: first % 3 }),
    ['a.test'],
  ],
])('probes the webs of its shard: %s', async (_, partOf, expected) => {
  const [first = 0] = await addWebs('a.test', 'b.test', 'c.test')
  const part = { ...shard, ...partOf(first) }
  await probeWebs(context, openTestProbing(), settings, part, new AbortController().signal)
  expect(Object.keys(await outcomes()).toSorted()).toEqual(expected)
})

test('knows nothing of a web that has only IPv6 if its worker has none', async () => {
  const dns = await startDnsServer({
    // A multicast address has no route for TCP on any machine.
    'new.test': { AAAA: ['ff02::1'] },
    'old.test': { A: ['127.0.0.1'], AAAA: ['ff02::1'] },
  })
  onTestFinished(dns.stop)
  const withoutIpv6 = openProber({
    dnsServers: [dns.server],
    allowNetworks: ['127.0.0.0/8', 'ff00::/8'],
    ports: { secure: 1, plain: port },
  })
  onTestFinished(() => withoutIpv6.close())
  const [id = 0] = await addWebs('new.test', 'old.test')
  await db.update(webs).set({ http_status_code: 200 }).where(eq(webs.id, id))
  const probing = openProbing(withoutIpv6, { confirmAfterMs: 50 })
  await probeWebs(context, probing, settings, shard, new AbortController().signal)
  expect(await outcomes()).toEqual({ 'new.test': 'unknown', 'old.test': 'up' })
  const [known] = await db.select().from(webs).where(eq(webs.id, id))
  expect(known).toMatchObject({ http_status_code: 200, down_since: null })
  expect(await db.$count(incidents)).toBe(0)
})

test('announces changed statuses only', async () => {
  await addWebs('good.test')
  await probe()
  const revision = async () =>
    (await database.pool.query(`select revision from revisions where list = 'webs'`)).rows[0].revision
  const before = await revision()
  await db.delete(statistics)
  await db.delete(probeShards)
  await probe()
  expect(await outcomes()).toEqual({ 'good.test': 'up' })
  expect(await revision()).toBe(before)
})

test('starts a round once among many schedulers and spreads its shards over the interval', async () => {
  await addWebs(...Array.from({ length: 30 }, (_, index) => `web${index}.test`))
  const rounds = await Promise.all(
    Array.from({ length: 5 }, () => scheduleRound(at('2026-11-20T10:00:01Z'), { queues }, settings)),
  )
  expect(rounds.filter((round) => round !== null)).toEqual([{ webs: 30, shards: 12 }])
  const jobs = (await queues.list()).filter((job) => job.queue === 'monitoring')
  expect(jobs).toHaveLength(12)
  const ranges = jobs.flatMap((job) => (job.data as ProbeShard).ids ?? [])
  const rows = await db.select({ id: webs.id }).from(webs)
  const shardsOf = rows.map(
    ({ id }) => ranges.filter(({ from, to }) => id >= from && (to === null || id < to)).length,
  )
  expect(shardsOf).toEqual(rows.map(() => 1))
  expect(ranges.filter(({ to }) => to === null)).toHaveLength(1)
  const begins = jobs.map((job) => (job.data as ProbeShard).begins_at).toSorted()
  expect(begins.at(0)).toBe('2026-11-20T10:00:01.000Z')
  expect(begins.at(-1)).toBe('2026-11-20T10:00:55.076Z')
  expect(await scheduleRound(at('2026-11-20T10:00:59Z'), { queues }, settings)).toBeNull()
  // More than half of the next interval has passed, so its round is skipped.
  expect(await scheduleRound(at('2026-11-20T10:01:40Z'), { queues }, settings)).toBeNull()
})

test('gives each web to one shard although another web is deleted while they are divided', async () => {
  await addWebs('a.test', 'b.test', 'c.test')
  const { db: whole, ...context } = at('2026-11-20T11:00:01Z')
  /** Deletes a web before the statement that divides them. */
  const racing: typeof whole = Object.create(whole, {
    transaction: {
      value: (work: Parameters<typeof whole.transaction>[0]) =>
        whole.transaction((tx) => {
          const execute = async (query: SQL) => {
            const { sql: statement } = new PgDialect().sqlToQuery(query)
            if (statement.includes('ntile')) await db.delete(webs).where(eq(webs.fqdn, 'c.test'))
            return tx.execute(query)
          }
          return work(Object.create(tx, { execute: { value: execute } }))
        }),
    },
  })
  expect(await scheduleRound({ ...context, db: racing }, { queues }, settings)).toEqual({
    webs: 2,
    shards: 2,
  })
  const jobs = (await queues.list()).map((job) => job.data as ProbeShard)
  const ranges = jobs.flatMap(({ round_at: round, ids }) =>
    round === '2026-11-20T11:00:00.000Z' ? (ids ?? []) : [],
  )
  for (const { id } of await db.select({ id: webs.id }).from(webs))
    expect(ranges.filter(({ from, to }) => id >= from && (to === null || id < to))).toHaveLength(1)
})
