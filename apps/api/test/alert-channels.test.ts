import type { AlertChannel, ChannelTest } from '@kustos/contract/alert-channels'
import { alertChannelsRoutes } from '@kustos/contract/alert-channels'
import type { Permission } from '@kustos/contract/permissions'
import { alertChannels, alertChannelTests, alertRoutes, logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { createSecretBox } from '@kustos/domain/platform/secret-box'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, createUser, listen, signIn, withoutRedis } from './api-client.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database, { secretBox: createSecretBox([Buffer.alloc(32, 1)]) })
const path = alertChannelsRoutes.listAlertChannels.path

async function clientOf(name: string, permissions: readonly Permission[] | 'admin'): Promise<ApiClient> {
  await createUser(database, `${name}@kustos.test`, permissions)
  return signIn(origin, `${name}@kustos.test`)
}
const admin = await clientOf('admin', 'admin')
const editor = await clientOf('editor', ['edit alert channels'])
const viewer = await clientOf('viewer', ['view monitoring web statistic'])
const other = await clientOf('other', ['view webs'])

beforeEach(async () => {
  await database.owner.db.delete(alertChannels)
})

const url = 'https://prod.logic.azure.test/workflows/abc?sig=secret-signature'
const key = `whsec_${'k'.repeat(40)}`
const teams = (more: object = {}) => ({ name: 'On call', kind: 'teams', url, ...more })
const list = async (client = admin) => (await client.json<{ data: AlertChannel[] }>(path)).data
async function add(body: object): Promise<number> {
  const response = await admin.send('POST', path, body)
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: number }).id
}
async function errorsOf(method: 'POST' | 'PUT', target: string, body: object) {
  const response = await admin.send(method, target, body)
  expect(response.status).toBe(422)
  const { error_codes } = (await response.json()) as { error_codes: Record<string, { code: string }[]> }
  return Object.fromEntries(Object.entries(error_codes).map(([field, [first]]) => [field, first?.code]))
}

it('stores secrets sealed, and shows only the host that a URL leads to', async () => {
  const id = await add(teams({ address: 'ignored@kustos.test', default_for: 'slack', fallback: true }))
  const response = await admin.fetch(path)
  const text = await response.text()
  expect(text).not.toContain('secret-signature')
  expect(JSON.parse(text).data).toMatchObject([
    {
      id,
      name: 'On call',
      kind: 'teams',
      origin: 'console',
      address: null,
      host: 'prod.logic.azure.test',
      default_for: 'slack',
      fallback: true,
      state: 'unused',
      waiting: 0,
    },
  ])
  const [row] = await db.select().from(alertChannels)
  expect(row?.secrets).toMatch(/^v1\./)
  expect(JSON.stringify(row)).not.toContain('secret-signature')
})

it('keeps a secret that is left out, and logs one that is given as changed only', async () => {
  const id = await add({ name: 'Hook', kind: 'webhook', url: 'https://a.test/x', key })
  const [before] = await db.select().from(alertChannels)
  expect((await admin.send('PUT', `${path}/${id}`, { name: 'Hook 2', kind: 'webhook' })).status).toBe(204)
  const [kept] = await db.select().from(alertChannels)
  expect(kept).toMatchObject({ name: 'Hook 2', secrets: before?.secrets, settings: { host: 'a.test' } })
  const changed = { name: 'Hook 2', kind: 'webhook', url: 'https://b.test/secret-path' }
  expect((await admin.send('PUT', `${path}/${id}`, changed)).status).toBe(204)
  expect(await list()).toMatchObject([{ host: 'b.test' }])
  const entries = await db.select().from(logEntries).where(eq(logEntries.log_name, 'alert-channels'))
  const text = JSON.stringify(entries)
  for (const secret of [key, 'secret-path']) expect(text).not.toContain(secret)
  expect(entries.at(-1)?.properties.attributes).toMatchObject({ url: 'changed', host: 'b.test' })
})

it('asks for both secrets of a webhook if the stored ones can no longer be decrypted', async () => {
  const id = await add({ name: 'Hook', kind: 'webhook', url: 'https://a.test/x', key })
  const later = await listen(database, { secretBox: createSecretBox([Buffer.alloc(32, 2)]) })
  const client = await signIn(later, 'admin@kustos.test')
  const edit = (more: object) =>
    client.send('PUT', `${path}/${id}`, { name: 'Hook', kind: 'webhook', ...more })
  const [before] = await db.select().from(alertChannels)
  for (const [given, missing] of [
    [{ url: 'https://b.test/x' }, 'key'],
    [{ key }, 'url'],
  ] as const) {
    const response = await edit(given)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ error_codes: { [missing]: [{ code: 'missing' }] } })
  }
  expect(await db.select().from(alertChannels)).toEqual([before])
  expect((await edit({ name: 'Hook 2' })).status).toBe(204)
  expect((await edit({ url: 'https://b.test/x', key })).status).toBe(204)
})

it('lets one channel have each role, and logs from which it was taken', async () => {
  const first = await add(teams({ fallback: true, default_for: 'mail' }))
  const second = await add(teams({ name: 'Second', fallback: true, default_for: 'mail' }))
  const channels = await list()
  expect(channels.find(({ id }) => id === first)).toMatchObject({ fallback: false, default_for: null })
  expect(channels.find(({ id }) => id === second)).toMatchObject({ fallback: true, default_for: 'mail' })
  const entries = await db.select().from(logEntries).where(eq(logEntries.subject_id, first))
  const attributes = entries.map(({ properties }) => properties.attributes)
  expect(attributes).toEqual(expect.arrayContaining([{ fallback: false }, { default_for: null }]))
})

it('lets one channel have each role, also if several are given it at the same time', async () => {
  const roles = { fallback: true, default_for: 'mail' }
  const named = Array.from({ length: 4 }, (_, index) => teams({ name: `Team ${index}` }))
  const ids = await Promise.all(named.map((body) => add({ ...body, ...roles })))
  const expectOne = async () => {
    const channels = await list()
    expect(channels.filter(({ fallback }) => fallback)).toHaveLength(1)
    expect(channels.filter(({ default_for }) => default_for === 'mail')).toHaveLength(1)
  }
  await expectOne()
  const edit = async (id: number, index: number) =>
    (await admin.send('PUT', `${path}/${id}`, { ...named[index], ...roles })).status
  expect(await Promise.all(ids.map(edit))).toEqual([204, 204, 204, 204])
  await expectOne()
})

describe('input', () => {
  it.each([
    ['no URL', { name: 'x', kind: 'teams' }, { url: 'missing' }],
    ['a wrong URL', { name: 'x', kind: 'discord', url: 'ftp://a' }, { url: 'url_invalid' }],
    ['no address', { name: 'x', kind: 'mail' }, { address: 'missing' }],
    ['a wrong address', { name: 'x', kind: 'mail', address: 'a' }, { address: 'email_invalid' }],
    [
      'a wrong chat',
      { name: 'x', kind: 'telegram', chat: 'a b', key: '1:a' },
      { chat: 'alert_channel_chat_invalid' },
    ],
    [
      'a wrong token',
      { name: 'x', kind: 'telegram', chat: '-1', key: 'a' },
      { key: 'alert_channel_key_of_telegram' },
    ],
    [
      'a wrong key of PagerDuty',
      { name: 'x', kind: 'pagerduty', key: 'a' },
      { key: 'alert_channel_key_of_pagerduty' },
    ],
    [
      'a weak secret',
      { name: 'x', kind: 'webhook', url: 'https://a.test', key: 'whsec_a' },
      { key: 'alert_channel_key_of_webhook' },
    ],
    ['a reserved name', teams({ name: 'Slack (configuration)' }), { name: 'alert_channel_name_reserved' }],
  ])('is refused with %s', async (_, body, errors) => {
    expect(await errorsOf('POST', path, body)).toEqual(errors)
  })

  it('is refused with a taken name or another kind', async () => {
    const id = await add(teams())
    expect(await errorsOf('POST', path, teams())).toEqual({ name: 'alert_channel_name_taken' })
    const mail = { name: 'On call', kind: 'mail', address: 'a@kustos.test' }
    expect(await errorsOf('PUT', `${path}/${id}`, mail)).toEqual({ kind: 'alert_channel_kind_fixed' })
  })
})

it('edits and deletes no channel of the configuration, unless its variables are gone', async () => {
  const [row] = await db
    .insert(alertChannels)
    .values({ name: 'Slack (configuration)', kind: 'slack', origin: 'configuration', settings: {} })
    .returning()
  const one = `${path}/${row?.id}`
  expect((await admin.send('PUT', one, teams({ kind: 'slack' }))).status).toBe(409)
  expect((await admin.send('DELETE', one)).status).toBe(409)
  await db.update(alertChannels).set({ missing_since: new Date() })
  expect(await list()).toMatchObject([{ state: 'missing' }])
  expect((await admin.send('DELETE', one)).status).toBe(204)
})

it('deletes no channel that an alert route uses', async () => {
  const id = await add(teams())
  const route = { name: 'Night', position: 1, is_active: true, replaces_channels: false, continues: false }
  const everything = { customers: [], tags: [], node_ids: [], severities: [], weekdays: [] }
  const steps = [{ after_minutes: 0, channels: [id], rotas: [] }]
  await db.insert(alertRoutes).values({ ...route, ...everything, steps })
  const refused = await admin.send('DELETE', `${path}/${id}`)
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'alert_channel_used', params: { route: 'Night' } },
  ])
  await db.delete(alertRoutes)
  expect((await admin.send('DELETE', `${path}/${id}`)).status).toBe(204)
})

it('returns what a worker was answered to a test message, once in ten seconds', async () => {
  const id = await add(teams())
  const answer = async (error: string | null) => {
    await expect
      .poll(async () => {
        const ended = { ended_at: new Date(), error }
        return (await db.update(alertChannelTests).set(ended).returning()).length
      })
      .toBe(1)
  }
  const [response] = await Promise.all([
    admin.send('POST', `${path}/${id}/test`),
    answer('Teams refuses the message (404).'),
  ])
  expect((await response.json()) as ChannelTest).toEqual({
    ok: false,
    error: 'Teams refuses the message (404).',
  })
  const second = await admin.send('POST', `${path}/${id}/test`)
  expect(second.status).toBe(429)
  expect(second.headers.get('retry-after')).toMatch(/^\d+$/)
})

it('is read by those who see monitoring, and edited by those who may', async () => {
  const id = await add(teams())
  expect((await viewer.fetch(path)).status).toBe(200)
  expect((await editor.fetch(path)).status).toBe(200)
  expect((await other.fetch(path)).status).toBe(403)
  expect((await viewer.send('POST', path, teams({ name: 'b' }))).status).toBe(403)
  expect((await viewer.send('DELETE', `${path}/${id}`)).status).toBe(403)
  expect((await viewer.send('POST', `${path}/${id}/test`)).status).toBe(403)
  expect((await editor.send('DELETE', `${path}/${id}`)).status).toBe(204)
})

it('answers a test with 503 while Redis is down, and does not delay the next one', async () => {
  const id = await add(teams())
  const client = await signIn(await listen(database, await withoutRedis(database)), 'admin@kustos.test')
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await client.send('POST', `${path}/${id}/test`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.json()).toMatchObject({ code: 'queue_unavailable' })
  }
  expect(await db.$count(alertChannelTests)).toBe(0)
})
