import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@kustos/clients/testing/free-port'
import { alertChannels, checks, logEntries, nodes, users, webs } from '@kustos/database/tables'
import { testDatabase, testRedis, testRedisCluster } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { checkInstallation } from '../src/doctor/index.ts'
import { sealLog } from '../src/logs/index.ts'
import { readConfiguration } from '../src/platform/configuration/index.ts'
import { createContext } from '../src/platform/context.ts'
import { createSecretBox } from '../src/platform/secret-box.ts'

const database = await testDatabase()
const redis = await testRedis()
const cluster = await testRedisCluster()
const folder = await mkdtemp(join(tmpdir(), 'kustos-doctor-'))
afterAll(() => rm(folder, { recursive: true }))
const closed = `127.0.0.1:${await freePort()}`

async function check(variables: Readonly<Record<string, string>> = {}) {
  const read = readConfiguration({ DATABASE_URL: database.url, DNS_SERVERS: closed, ...variables })
  if (!read.ok) throw new Error(read.sentence)
  return checkInstallation(read.configuration, database)
}
const findingsAbout = async (subject: string, variables: Readonly<Record<string, string>> = {}) =>
  (await check(variables)).filter((finding) => finding.subject === subject)

test('reports no error if everything answers', async () => {
  const findings = await check({
    PUBLIC_URL: 'https://kustos.test',
    SECRETS_KEY: randomBytes(32).toString('base64'),
    AUDIT_ARCHIVE_DIR: folder,
  })
  expect(findings.filter(({ state }) => state === 'error')).toEqual([])
  expect(findings.filter(({ state }) => state === 'ok').map((finding) => finding.subject)).toEqual(
    expect.arrayContaining([
      'program',
      'address',
      'database',
      'clock',
      'connections',
      'secrets',
      'subscribers',
      'workers',
      'queue',
      'archive',
    ]),
  )
})

test('says which settings are missing, wrong or out of reach', async () => {
  expect(await findingsAbout('DNS')).toMatchObject([
    { state: 'warning', text: `${closed} does not find example.com.` },
  ])
  expect(await findingsAbout('queue', { REDIS_URL: `redis://${closed}` })).toMatchObject([
    { state: 'error', text: expect.stringContaining('Redis cannot be used') },
  ])
  expect(await findingsAbout('queue', { REDIS_URL: `redis+cluster://${closed}` })).toMatchObject([
    { state: 'error', text: expect.stringContaining('Redis cannot be used') },
  ])
  expect(await findingsAbout('mail', { SMTP_URL: `smtp://${closed}` })).toMatchObject([{ state: 'error' }])
  expect(await findingsAbout('SSH key', { SSH_KEY_FILE: join(folder, 'missing') })).toMatchObject([
    { state: 'error' },
  ])
  expect(await findingsAbout('archive', { AUDIT_ARCHIVE_DIR: join(folder, 'missing') })).toMatchObject([
    { state: 'error' },
  ])
  expect(await findingsAbout('address')).toMatchObject([{ state: 'warning' }])
})

test.skipIf(redis === null)('reports a Redis that may drop jobs as an error', async () => {
  const { hostname, port } = new URL(redis?.url ?? '')
  const socket = connect(Number(port), hostname).end('CONFIG SET maxmemory-policy allkeys-lru\r\n')
  const [reply] = await once(socket, 'data')
  expect(String(reply)).toBe('+OK\r\n')
  expect(await findingsAbout('queue', { REDIS_URL: redis?.url ?? '' })).toMatchObject([
    { state: 'error', advice: 'Set maxmemory-policy to noeviction.' },
  ])
})

test.skipIf(cluster === null)('reports how many servers of a Redis Cluster answer', async () => {
  expect(await findingsAbout('queue', { REDIS_URL: cluster?.url ?? '' })).toMatchObject([
    { state: 'ok', text: expect.stringMatching(/^Redis [\d.]+ answers, a cluster of 3 servers\.$/) },
  ])
})

test('reports undecryptable keys as errors and unsendable mail as a warning', async () => {
  const { id } = (
    await database.db
      .insert(nodes)
      .values({ name: 'n1', plesk_fqdn: 'n1.test', address: '192.0.2.1' })
      .returning({ id: nodes.id })
  )[0] ?? { id: 0 }
  const sealed = createSecretBox([randomBytes(32)])?.seal('key', `plesk key of node ${id}`) ?? null
  await database.db.update(nodes).set({ plesk_key: sealed }).where(eq(nodes.id, id))
  expect(await findingsAbout('secrets', { SECRETS_KEY: randomBytes(32).toString('base64') })).toMatchObject([
    { state: 'error', text: 'The stored API keys of n1 cannot be decrypted.' },
  ])
  await database.db.insert(users).values({
    email: 'someone@kustos.test',
    name: 'Someone',
    password_hash: '',
    monitoring_mail_subscription: true,
  })
  expect(await findingsAbout('subscribers')).toMatchObject([{ state: 'warning' }])
})

test('reports channels and checks whose secrets cannot be decrypted, as after the removal of an earlier key', async () => {
  const [earlier, current] = [randomBytes(32), randomBytes(32)]
  const box = createSecretBox([earlier])
  const [channel] = await database.db
    .insert(alertChannels)
    .values({ name: 'Pager', kind: 'pagerduty', settings: {} })
    .returning({ id: alertChannels.id })
  const [web] = await database.db
    .insert(webs)
    .values({ fqdn: 'shop.test', fqdn_ascii: 'shop.test', customer: 'ALPEN', configured_ip: '192.0.2.1' })
    .returning({ id: webs.id })
  const [check] = await database.db
    .insert(checks)
    .values({ web_id: web?.id ?? 0 })
    .returning({ id: checks.id })
  const key = box?.seal(JSON.stringify({ key: 'k'.repeat(32) }), `alert channel ${channel?.id}`) ?? null
  await database.db.update(alertChannels).set({ secrets: key })
  const value = box?.seal('secret', `header x-key of check ${check?.id}`) ?? null
  await database.db.update(checks).set({ settings: { headers: [{ name: 'X-Key', value }] } })
  const both = [current, earlier].map((each) => each.toString('base64'))
  await database.db.delete(nodes)
  expect(await findingsAbout('secrets', { SECRETS_KEY: both.join(',') })).toMatchObject([{ state: 'ok' }])
  expect(await findingsAbout('secrets', { SECRETS_KEY: both[0] ?? '' })).toMatchObject([
    { state: 'error', text: 'The stored URLs and keys of the channels Pager cannot be decrypted.' },
    { state: 'error', text: 'The stored headers of the checks of shop.test cannot be decrypted.' },
  ])
})

describe('the seals of the audit log', () => {
  const entry = { log_name: 'webs', description: 'updated', properties: {} }
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

  test('show that no worker runs if they are missing', async () => {
    await database.db.insert(logEntries).values({ ...entry, created_at: ago(600) })
    expect(await findingsAbout('workers')).toMatchObject([{ state: 'error' }])
  })

  test('show it also while users go on making entries', async () => {
    const oldest = ago(500)
    await sealLog(createContext(database), AbortSignal.timeout(60_000))
    expect(await findingsAbout('workers')).toMatchObject([{ state: 'ok' }])
    await database.db.insert(logEntries).values([oldest, ago(1)].map((at) => ({ ...entry, created_at: at })))
    expect(await findingsAbout('workers')).toMatchObject([
      { state: 'error', text: `No audit log entry has been sealed since ${oldest.toISOString()}.` },
    ])
  })
})
