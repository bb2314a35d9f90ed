import type { Batch } from '@kustos/contract/batches'
import type { Permission } from '@kustos/contract/permissions'
import { maxTags, type Tag, tagsRoutes } from '@kustos/contract/tags'
import type { Web } from '@kustos/contract/webs'
import {
  alertRoutes,
  checks,
  customers,
  maintenanceScopes,
  maintenanceWindows,
  nodes,
  tags,
  views,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { advanceBatches } from '@kustos/domain/batches'
import { importWebs } from '@kustos/domain/imports'
import { createContext } from '@kustos/domain/platform/context'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type ApiClient, createTestServices, createUser, listen, signIn } from './api-client.ts'
import { readLastEntryOf } from './last-entry.ts'
import { only } from './logged-fixtures.ts'
import { unescapeXml, unzip } from './spreadsheet.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const { deployments: tools } = await createTestServices(database)

async function clientOf(name: string, permissions: Permission[] | 'admin'): Promise<ApiClient> {
  await createUser(database, `${name}@kustos.test`, permissions)
  return signIn(origin, `${name}@kustos.test`)
}
const admin = await clientOf('admin', 'admin')
const editor = await clientOf('editor', ['view webs', 'edit webs'])
const tagger = await clientOf('tagger', ['edit tags', 'view webs'])

beforeEach(async () => {
  const used = ['alert_routes', 'maintenance_occurrences', 'maintenance_windows', 'maintenance_scopes']
  for (const table of [...used, 'views', 'batch_targets', 'batches', 'webs', 'nodes', 'customers', 'tags'])
    await database.owner.pool.query(`delete from ${table}`)
})

let count = 0
async function addWeb(carried: string[] = [], more: Partial<typeof webs.$inferInsert> = {}): Promise<number> {
  const fqdn = `web${++count}.test`
  const facts = { fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.1' }
  return only(
    await db
      .insert(webs)
      .values({ ...facts, tags: carried, ...more })
      .returning(),
  ).id
}
const addTags = async (...rows: (typeof tags.$inferInsert)[]) => db.insert(tags).values(rows).returning()
const contract = { name: 'contract', type: 'list', options: ['gold', 'silver'] }
const tagsOf = async (id: number) => only(await db.select().from(webs).where(eq(webs.id, id))).tags
const lastEntry = (type: string, id: number) => readLastEntryOf(db, type, id)
async function editWeb(id: number, carried: unknown, client = editor): Promise<Response> {
  const { fqdn, customer, configured_ip } = await client.json<Web>(`/api/webs/${id}`)
  return client.send('PUT', `/api/webs/${id}`, { fqdn, customer, configured_ip, tags: carried })
}
const errorsOf = async (response: Response) => {
  expect(response.status).toBe(422)
  const { error_codes } = (await response.json()) as { error_codes: Record<string, { code: string }[]> }
  return Object.fromEntries(Object.entries(error_codes).map(([field, [first]]) => [field, first?.code]))
}
const listTags = (client = admin, query = '?usage=1') =>
  client.json<Tag[]>(`${tagsRoutes.listTags.path}${query}`)
const createTag = (body: object, client = editor) => client.send('POST', tagsRoutes.createTag.path, body)
const changeTag = (id: number, body: object, client = tagger) => client.send('PUT', `/api/tags/${id}`, body)

const addRoute = async (matched: string[]) => {
  const lists = { customers: [], node_ids: [], severities: [], weekdays: [], steps: [] }
  const flags = { is_active: true, replaces_channels: false, continues: false }
  const row = { name: 'Night', position: 1, tags: matched, ...lists, ...flags }
  return only(await db.insert(alertRoutes).values(row).returning()).id
}
/** Saves a private view of webs. */
async function addView(query: readonly [string, string][]): Promise<number> {
  const body = { list: 'webs', name: `View ${++count}`, query: queryText(query), audience: 'private' }
  const shown = { column_order: [], column_widths: {}, role_id: null }
  const response = await editor.send('POST', '/api/views', { ...body, ...shown })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: number }).id
}
const queryText = (query: readonly [string, string][]) => new URLSearchParams(query).toString()
const viewOf = async (id: number) => only(await db.select().from(views).where(eq(views.id, id)))
const conditions = async () => (await db.select().from(alertRoutes)).map((route) => route.tags)
async function planWindow(covered: string[]): Promise<number> {
  const [from, to] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const times = { repeats: 'once', starts_at: from, ends_at: to }
  const body = { reason: 'Update', tags: covered, ...times }
  const response = await admin.send('POST', '/api/maintenance-windows', body)
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: number }).id
}

describe('tags of a web', () => {
  it('are created, read and changed with the web, with their old values in the log', async () => {
    await addTags(contract, { name: 'legal' })
    const body = { fqdn: `web${++count}.test`, customer: 'ALPEN', configured_ip: '192.0.2.1' }
    const created = await admin.send('POST', '/api/webs', { ...body, tags: ['Legal', 'contract: GOLD'] })
    const { id, tags: carried } = (await created.json()) as Web
    expect(carried).toEqual(['contract:gold', 'legal'])
    expect((await editWeb(id, ['contract:silver'])).status).toBe(204)
    expect((await editor.json<{ data: Web[] }>('/api/webs')).data).toMatchObject([
      { id, tags: ['contract:silver'] },
    ])
    expect(await lastEntry('web', id)).toMatchObject({
      properties: { old: { tags: ['contract:gold', 'legal'] }, attributes: { tags: ['contract:silver'] } },
    })
    // Omitted, they stay.
    expect((await editWeb(id, undefined)).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['contract:silver'])
  })

  it('are given back by a revert, unless they are gone', async () => {
    const [, legal] = await addTags(contract, { name: 'legal' })
    const id = await addWeb(['contract:gold', 'legal'])
    await editWeb(id, [])
    const emptied = await lastEntry('web', id)
    expect((await admin.send('POST', `/api/logs/${emptied.id}/revert`)).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['contract:gold', 'legal'])
    await editWeb(id, ['contract:gold'])
    const withoutLegal = await lastEntry('web', id)
    await tagger.send('DELETE', `/api/tags/${legal?.id}`)
    const refused = await admin.send('POST', `/api/logs/${withoutLegal.id}/revert`)
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ code: 'tags_gone' })
  })

  it.each([
    ['an unknown one', ['nowhere'], 'tag_unknown'],
    ['a value that is not listed', ['contract:bronze'], 'tag_value_unlisted'],
    ['a value of a tag without values', ['legal:yes'], 'tag_value_unexpected'],
    ['a value that is no date', ['review:soon'], 'tag_value_no_date'],
    ['a name twice', ['contract:gold', 'Contract:silver'], 'tag_twice'],
    ['10,000 of them', Array.from({ length: 10_000 }, (_, index) => `t${index}`), 'at_most'],
  ])('are refused with %s', async (_, carried, code) => {
    await addTags(contract, { name: 'legal' }, { name: 'review', type: 'date' })
    expect(await errorsOf(await editWeb(await addWeb(), carried))).toEqual({ tags: code })
  })

  it('are in the export, and filtered by name and by value', async () => {
    await addTags(contract)
    await addWeb(['contract:gold'])
    await addWeb(['contract:silver'])
    await addWeb()
    const read = async (filter: string) => {
      const response = await editor.fetch(`/api/webs/export?sets=tags&sort=id&f.tags=any-of:${filter}`)
      const xml = unzip(Buffer.from(await response.arrayBuffer()), 'xl/worksheets/sheet1.xml')
      const cells = [...xml.matchAll(/<(?:v|t)[^>]*>([^<]*)<\/(?:v|t)>/g)]
      return cells.map(([, text = '']) => unescapeXml(text)).filter((text) => /tags|contract/i.test(text))
    }
    expect(await read('contract')).toEqual(['Tags', 'contract:gold', 'contract:silver'])
    expect(await read('contract%253Asilver')).toEqual(['Tags', 'contract:silver'])
  })

  it('are imported from a file', async () => {
    await addTags(contract, { name: 'legal' })
    const [id, kept] = [await addWeb(['legal']), await addWeb(['legal'])]
    const name = async (of: number) => only(await db.select().from(webs).where(eq(webs.id, of))).fqdn
    const lines = [
      'fqdn;customer;configured_ip;Tags',
      `${await name(id)};ALPEN;192.0.2.1;Contract:gold, legal`,
      `${await name(kept)};ALPEN;192.0.2.1;legal`,
      'new.test;ALPEN;192.0.2.1;legal',
      'bad.test;ALPEN;192.0.2.1;leagl',
    ]
    const bytes = new TextEncoder().encode(lines.join('\n'))
    const report = await importWebs(createContext(database), bytes, { fileName: 'webs.csv', skipBad: true })
    expect(report.lines).toMatchObject([
      { outcome: 'changed' },
      { outcome: 'unchanged' },
      { outcome: 'added' },
      { outcome: 'invalid', message: 'tags: There is no tag “leagl”.' },
    ])
    expect(await tagsOf(id)).toEqual(['contract:gold', 'legal'])
  })
})

describe('a batch', () => {
  const advance = () => advanceBatches(createContext(database), tools, new AbortController().signal)
  async function run(ids: readonly number[], edits: object): Promise<Batch> {
    const response = await editor.send('POST', '/api/batches', { action: 'edit', webs: ids, edits })
    expect(response.status).toBe(201)
    const { id } = (await response.json()) as { id: number }
    await advance()
    return editor.json<Batch>(`/api/batches/${id}`)
  }

  it('adds and removes tags of many webs, and is reverted', async () => {
    await addTags(contract, { name: 'legal' })
    const ids = [await addWeb(['contract:silver']), await addWeb(['legal']), await addWeb(['contract:gold'])]
    const batch = await run(ids, { add_tags: ['Contract:Gold'], remove_tags: ['legal'] })
    expect(batch).toMatchObject({
      edits: { add_tags: ['contract:gold'], remove_tags: ['legal'] },
      counts: { succeeded: 2, skipped: 1 },
    })
    for (const id of ids) expect(await tagsOf(id)).toEqual(['contract:gold'])
    expect((await editor.send('POST', `/api/batches/${batch.id}/revert`)).status).toBe(201)
    await advance()
    expect(await Promise.all(ids.map(tagsOf))).toEqual([['contract:silver'], ['legal'], ['contract:gold']])
  })

  it('skips webs, and says why, once the tag that it adds is deleted', async () => {
    const [legal] = await addTags({ name: 'legal' })
    const ids = [await addWeb(), await addWeb()]
    const request = { action: 'edit', webs: ids, edits: { add_tags: ['legal'] } }
    const { id } = (await (await editor.send('POST', '/api/batches', request)).json()) as { id: number }
    expect((await tagger.send('DELETE', `/api/tags/${legal?.id}`)).status).toBe(204)
    await advance()
    const { targets } = await editor.json<Batch>(`/api/batches/${id}`)
    expect(targets.map(({ state, error_code }) => [state, error_code])).toEqual([
      ['skipped', 'tag_unknown'],
      ['skipped', 'tag_unknown'],
    ])
  })

  it('skips a web that would carry too many', async () => {
    const names = Array.from({ length: 51 }, (_, index) => `t${String(index).padStart(2, '0')}`)
    await addTags(...names.map((name) => ({ name })))
    const batch = await run([await addWeb(names.slice(0, 50))], { add_tags: names.slice(50) })
    expect(batch.targets).toMatchObject([{ state: 'skipped', error_code: 'tags_too_many' }])
  })

  it('is refused with an unknown tag, in its preview, too', async () => {
    const request = { action: 'edit', webs: [await addWeb()], edits: { add_tags: ['nowhere'] } }
    for (const path of ['/api/batches', '/api/batches/preview'])
      expect(await errorsOf(await editor.send('POST', path, request))).toEqual({ edits: 'tag_unknown' })
  })
})

describe('customers and nodes', () => {
  it('carry tags, which they keep when they are omitted', async () => {
    await addTags(contract, { name: 'legal' })
    await admin.send('POST', '/api/customers', { code: 'A', tags: ['legal'] })
    await admin.send('PUT', '/api/customers/A', { notes: 'x' })
    expect(await admin.json('/api/customers/A')).toMatchObject({ tags: ['legal'] })
    expect((await admin.send('PUT', '/api/customers/A', { tags: ['contract:gold'] })).status).toBe(204)
    expect(await admin.json('/api/customers')).toMatchObject([{ tags: ['contract:gold'] }])
    const node = { name: 'n1', plesk_fqdn: 'n1.plesk.test' }
    const created = await admin.send('POST', '/api/nodes', { ...node, tags: ['legal'] })
    const { id } = (await created.json()) as { id: number }
    expect((await admin.send('PUT', `/api/nodes/${id}`, { ...node, address: '192.0.2.1' })).status).toBe(204)
    expect(await admin.json('/api/nodes')).toMatchObject([{ address: '192.0.2.1', tags: ['legal'] }])
    expect((await admin.send('PUT', `/api/nodes/${id}`, { ...node, tags: [] })).status).toBe(204)
    expect(await lastEntry('node', id)).toMatchObject({
      properties: { old: { tags: ['legal'] }, attributes: { tags: [] } },
    })
    for (const [method, path, body] of [
      ['PUT', '/api/customers/A', { tags: ['nowhere'] }],
      ['PUT', `/api/nodes/${id}`, { ...node, tags: ['nowhere'] }],
    ] as const)
      expect(await errorsOf(await admin.send(method, path, body))).toEqual({ tags: 'tag_unknown' })
  })

  it('are merged with the tags of both', async () => {
    await addTags(contract, { name: 'legal' })
    await db.insert(customers).values([
      { code: 'A', tags: ['contract:gold', 'legal'] },
      { code: 'B', tags: ['contract:silver'] },
    ])
    await admin.send('POST', '/api/customers/merge', { from: 'A', into: 'B' })
    expect(await admin.json('/api/customers/B')).toMatchObject({ tags: ['contract:silver', 'legal'] })
  })

  it('are not merged if there would be too many', async () => {
    const names = Array.from({ length: maxTags + 1 }, (_, index) => `tag${index}`)
    await addTags(...names.map((name) => ({ name })))
    await db.insert(customers).values([
      { code: 'A', tags: names.slice(0, 1) },
      { code: 'B', tags: names.slice(1) },
    ])
    const response = await admin.send('POST', '/api/customers/merge', { from: 'A', into: 'B' })
    expect(await errorsOf(response)).toEqual({ into: 'tags_too_many' })
    expect(await admin.json('/api/customers')).toHaveLength(2)
  })
})

describe('the catalogue', () => {
  it('counts what carries a tag, as far as the user may see it', async () => {
    await addTags(contract, { name: 'legal' })
    await addWeb(['contract:gold', 'legal'])
    await addWeb(['contract:silver'], { deleted_at: new Date() })
    await addView([['f.tags', 'any-of:contract%3Agold,contract%3Asilver']])
    await db.insert(customers).values({ code: 'A', tags: ['legal'] })
    await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n.test', tags: ['legal'] })
    const usage = async (client: ApiClient, query?: string) =>
      (await listTags(client, query)).map(({ name, usage: of }) => [name, of])
    expect(await usage(admin)).toEqual([
      ['contract', { webs: 2, customers: 0, nodes: 0, views: 1, check: false }],
      ['legal', { webs: 1, customers: 1, nodes: 1, views: 0, check: false }],
    ])
    expect(await usage(editor)).toEqual([
      ['contract', { webs: 2, customers: null, nodes: null, views: 1, check: false }],
      ['legal', { webs: 1, customers: null, nodes: null, views: 0, check: false }],
    ])
    expect(await usage(editor, '')).toEqual([
      ['contract', null],
      ['legal', null],
    ])
  })

  it('gets a tag from users who may edit webs, once, in any spelling', async () => {
    const names = ['legal', 'LEGAL', ' Legal ', 'ｌｅｇａｌ']
    const responses = await Promise.all(names.map((name) => createTag({ name })))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    for (const response of responses.filter(({ status }) => status === 422))
      expect(await errorsOf(response)).toEqual({ name: 'tag_taken' })
    expect((await listTags()).map(({ name }) => name)).toEqual(['legal'])
    const other = await clientOf('viewer', ['view webs'])
    expect((await createTag({ name: 'other' }, other)).status).toBe(403)
    expect((await changeTag(1, { name: 'other' }, editor)).status).toBe(403)
  })

  it('renames a tag wherever it is carried, with an entry for each', async () => {
    const [tag] = await addTags(contract, { name: 'contract-old' })
    const [id, other] = [await addWeb(['contract-old', 'contract:gold']), await addWeb(['contract-old'])]
    const deleted = await addWeb(['contract'], { deleted_at: new Date() })
    const customer = only(
      await db
        .insert(customers)
        .values({ code: 'Z', tags: ['contract:silver'] })
        .returning(),
    )
    const before = only(await db.select().from(webs).where(eq(webs.id, other)))
    expect((await changeTag(tag?.id ?? 0, { ...contract, name: 'Vertrag' })).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['contract-old', 'vertrag:gold'])
    expect(await tagsOf(deleted)).toEqual(['vertrag'])
    expect(only(await db.select().from(webs).where(eq(webs.id, other)))).toEqual(before)
    expect(await lastEntry('web', id)).toMatchObject({
      log_name: 'webs',
      description: 'updated',
      properties: {
        old: { tags: ['contract-old', 'contract:gold'] },
        attributes: { tags: ['contract-old', 'vertrag:gold'], tag: 'contract → vertrag' },
      },
    })
    expect(await lastEntry('customer', customer.id)).toMatchObject({
      properties: { attributes: { tags: ['vertrag:silver'] } },
    })
    expect(await errorsOf(await changeTag(tag?.id ?? 0, { ...contract, name: 'contract-old' }))).toEqual({
      name: 'tag_taken',
    })
  })

  it('refuses a type that the values in use are not of, and spells values as the list does', async () => {
    const [tag] = await addTags({ name: 'contract', type: 'text' })
    const id = await addWeb(['contract:Gold'])
    const edit = (body: object) => changeTag(tag?.id ?? 0, { name: 'contract', ...body })
    expect(await errorsOf(await edit({ type: 'number' }))).toEqual({ type: 'tag_values_misfit' })
    expect(await errorsOf(await edit({ type: 'none' }))).toEqual({ type: 'tag_values_misfit' })
    expect((await edit({ type: 'list', options: ['gold'] })).status).toBe(204)
    expect(await tagsOf(id)).toEqual(['contract:gold'])
    expect(await errorsOf(await edit({ type: 'list', options: ['silver'] }))).toEqual({
      options: 'tag_values_misfit',
    })
    const [{ updated_at = '' } = {}] = await listTags()
    expect((await edit({ type: 'text', updated_at })).status).toBe(204)
    const stale = await edit({ type: 'text', color: 'red', updated_at })
    expect([stale.status, await stale.json()]).toMatchObject([409, { code: 'stale_tag' }])
  })

  it('merges a tag into another one', async () => {
    const [from, into] = await addTags({ name: 'vertrag', type: 'text' }, contract)
    const both = await addWeb(['contract:silver', 'vertrag:gold'])
    const one = await addWeb(['vertrag:GOLD'])
    const merge = (id: number, name: string) => tagger.send('POST', `/api/tags/${id}/merge`, { into: name })
    expect(await errorsOf(await merge(from?.id ?? 0, 'nowhere'))).toEqual({ into: 'tag_unknown' })
    expect(await errorsOf(await merge(from?.id ?? 0, 'vertrag'))).toEqual({ into: 'tag_into_itself' })
    const bad = await addWeb(['vertrag:bronze'])
    expect(await errorsOf(await merge(from?.id ?? 0, 'contract'))).toEqual({ into: 'tag_values_misfit' })
    await db.delete(webs).where(eq(webs.id, bad))
    expect((await merge(from?.id ?? 0, 'Contract')).status).toBe(204)
    expect(await tagsOf(both)).toEqual(['contract:silver'])
    expect(await tagsOf(one)).toEqual(['contract:gold'])
    expect((await listTags()).map(({ name }) => name)).toEqual(['contract'])
    expect(await lastEntry('tag', into?.id ?? 0)).toMatchObject({ description: 'merged' })
    expect((await merge(from?.id ?? 0, 'contract')).status).toBe(404)
  })

  it('keeps the check of a merged or deleted tag, or says in the log what it was', async () => {
    const [from, into, third] = await addTags({ name: 'a' }, { name: 'b' }, { name: 'c' })
    const checkOf = async (id = 0) =>
      only(await db.select().from(checks).where(eq(checks.tag_id, id))).settings
    const merge = (id = 0, name: string) => tagger.send('POST', `/api/tags/${id}/merge`, { into: name })
    const headers = [{ name: 'X-Key', value: 'sealed' }]
    await db.insert(checks).values([
      { tag_id: from?.id, settings: { path: '/a', headers }, created_at: new Date(), updated_at: new Date() },
      { tag_id: third?.id, settings: { path: '/c' }, created_at: new Date(), updated_at: new Date() },
    ])
    expect((await listTags()).map(({ usage }) => usage?.check)).toEqual([true, false, true])
    expect((await merge(from?.id, 'b')).status).toBe(204)
    expect(await checkOf(into?.id)).toEqual({ path: '/a', headers })
    expect((await merge(into?.id, 'c')).status).toBe(204)
    expect(await checkOf(third?.id)).toEqual({ path: '/c' })
    expect(await lastEntry('tag', third?.id ?? 0)).toMatchObject({
      description: 'merged',
      properties: { old: { name: 'b', check: { path: '/a', headers: ['X-Key'] } } },
    })
    expect((await tagger.send('DELETE', `/api/tags/${third?.id}`)).status).toBe(204)
    expect(await lastEntry('tag', third?.id ?? 0)).toMatchObject({
      description: 'deleted',
      properties: { old: { name: 'c', check: { path: '/c' } } },
    })
  })

  it('deletes a tag, also from what carries it', async () => {
    const [tag] = await addTags(contract)
    const id = await addWeb(['contract:gold'])
    expect((await tagger.send('DELETE', `/api/tags/${tag?.id}`)).status).toBe(204)
    expect(await tagsOf(id)).toEqual([])
    expect(await lastEntry('web', id)).toMatchObject({
      properties: { old: { tags: ['contract:gold'] }, attributes: { tags: [], tag: 'contract → –' } },
    })
    expect((await tagger.send('DELETE', `/api/tags/${tag?.id}`)).status).toBe(404)
  })

  it('refuses to delete a tag that an alert route or a maintenance window uses, and names it', async () => {
    const [tag, other] = await addTags(contract, { name: 'contractor' })
    await addRoute(['contract:gold'])
    const remove = async () => {
      const response = await tagger.send('DELETE', `/api/tags/${tag?.id}`)
      return [response.status, response.status === 204 ? null : await response.json()]
    }
    expect(await remove()).toMatchObject([409, { code: 'tag_used_by_route', params: { route: 'Night' } }])
    expect(await conditions()).toEqual([['contract:gold']])
    await db.delete(alertRoutes)
    await planWindow(['contract'])
    expect(await remove()).toMatchObject([409, { code: 'tag_used_by_window', params: { window: 'Update' } }])
    expect((await tagger.send('DELETE', `/api/tags/${other?.id}`)).status).toBe(204)
    await db.update(maintenanceWindows).set({ starts_at: new Date(1_000), ends_at: new Date(2_000) })
    expect(await remove()).toEqual([204, null])
    // What is over keeps the name, so that it stays in the list.
    const { data } = await admin.json<{ data: { tags: string[] }[] }>('/api/maintenance-windows')
    expect(data).toMatchObject([{ state: 'past', tags: ['contract'] }])
  })

  it('refuses to delete a tag of a maintenance window that lasts beyond its last day', async () => {
    const [tag] = await addTags(contract)
    const day = new Date(Date.now() - 4 * 86_400_000).toISOString().slice(0, 10)
    const body = {
      reason: 'Move',
      tags: ['contract'],
      repeats: 'weekly',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      start_time: '12:00',
      duration_minutes: 7 * 24 * 60,
      first_day: day,
      last_day: day,
    }
    const response = await admin.send('POST', '/api/maintenance-windows', body)
    expect(response.status).toBe(201)
    const { id } = (await response.json()) as { id: number }
    const remove = async () => (await tagger.send('DELETE', `/api/tags/${tag?.id}`)).status
    expect(await remove()).toBe(409)
    expect((await admin.send('POST', `/api/maintenance-windows/${id}/end`)).status).toBe(204)
    expect(await remove()).toBe(204)
  })

  it('merges tags of alert routes and maintenance windows so that they match no less, with an entry for each', async () => {
    const [from] = await addTags({ name: 'vertrag', type: 'text' }, contract)
    const route = await addRoute(['contract:silver', 'vertrag:GOLD'])
    const window = await planWindow(['contract', 'vertrag:silver'])
    const merged = await tagger.send('POST', `/api/tags/${from?.id}/merge`, { into: 'contract' })
    expect(merged.status).toBe(204)
    expect(await conditions()).toEqual([['contract:gold', 'contract:silver']])
    expect(only(await db.select().from(maintenanceScopes)).tags).toEqual(['contract', 'contract:silver'])
    expect(await lastEntry('alert_route', route)).toMatchObject({
      log_name: 'alert-routes',
      description: 'updated',
      properties: {
        old: { tags: ['contract:silver', 'vertrag:GOLD'] },
        attributes: { tags: ['contract:gold', 'contract:silver'], tag: 'vertrag → contract' },
      },
    })
    expect(await lastEntry('maintenance_window', window)).toMatchObject({
      log_name: 'maintenance',
      description: 'updated',
      properties: { attributes: { tags: ['contract', 'contract:silver'] } },
    })
  })

  it('renames and merges a tag in the filters of saved views, with an entry for each', async () => {
    const [from, into] = await addTags({ name: 'vertrag', type: 'text' }, contract)
    const view = await addView([
      ['q', 'vertrag'],
      ['f.tags', 'any-of:legal,vertrag%3AGOLD'],
      ['f.tags', 'none-of:vertrag'],
      ['f.comment', 'contains:vertrag'],
    ])
    const other = await addView([['f.tags', 'any-of:vertrag2']])
    const before = { view: await viewOf(view), other: await viewOf(other) }
    const renamed = (name: string, gold: string) =>
      queryText([
        ['q', 'vertrag'],
        ['f.tags', `any-of:${gold},legal`],
        ['f.tags', `none-of:${name}`],
        ['f.comment', 'contains:vertrag'],
      ])
    const merged = await tagger.send('POST', `/api/tags/${from?.id}/merge`, { into: 'contract' })
    expect(merged.status).toBe(204)
    expect((await viewOf(view)).query).toBe(renamed('contract', 'contract%3Agold'))
    expect(await viewOf(other)).toEqual(before.other)
    const { id: entry, ...logged } = await lastEntry('view', view)
    expect(logged).toMatchObject({
      log_name: 'views',
      description: 'updated',
      properties: { old: { query: before.view.query }, attributes: { tag: 'vertrag → contract' } },
    })
    const { name, query, column_order, column_widths, audience, role_id, updated_at } = before.view
    const stale = { name, query, column_order, column_widths, audience, role_id, updated_at }
    const saved = await editor.send('PUT', `/api/views/${view}`, stale)
    expect([saved.status, await saved.json()]).toMatchObject([409, { code: 'stale_view' }])
    const reverted = await admin.send('POST', `/api/logs/${entry}/revert`)
    expect([reverted.status, await reverted.json()]).toMatchObject([
      409,
      { code: 'tag_change_not_revertible' },
    ])
    expect((await changeTag(into?.id ?? 0, { ...contract, name: 'aaa' })).status).toBe(204)
    expect((await viewOf(view)).query).toBe(renamed('aaa', 'aaa%3Agold'))
  })

  it('lets others change webs while a tag waits for an alert route that uses it', async () => {
    const [tag] = await addTags(contract)
    await addWeb(['contract:gold'])
    const other = await addWeb()
    await addRoute(['contract'])
    const rival = await database.owner.pool.connect()
    onTestFinished(() => rival.release())
    await rival.query('begin')
    await rival.query('select from alert_routes for update')
    const renamed = tagger.send('PUT', `/api/tags/${tag?.id}`, { ...contract, name: 'agreement' })
    await expect
      .poll(database.waitingStatements, { timeout: 30_000 })
      .toContainEqual(expect.stringContaining('alert_routes'))
    await rival.query(`update webs set comment = 'changed' where id = $1`, [other])
    await rival.query('commit')
    expect((await renamed).status).toBe(204)
  })

  it('leaves no web with a tag that is deleted or renamed while it is added', async () => {
    for (let round = 0; round < 5; round++) {
      const [gone, renamed] = await addTags({ name: `gone${round}` }, { name: `old${round}` })
      const ids = await Promise.all(Array.from({ length: 6 }, () => addWeb([`old${round}`])))
      const answers = await Promise.all([
        ...ids.map((id) => editWeb(id, [`gone${round}`, `old${round}`])),
        tagger.send('DELETE', `/api/tags/${gone?.id}`),
        changeTag(renamed?.id ?? 0, { name: `new${round}` }),
      ])
      for (const { status } of answers) expect([204, 422]).toContain(status)
      for (const id of ids) expect(await tagsOf(id)).toEqual([`new${round}`])
    }
  })
})
