import type { Web, WebList } from '@kustos/contract/webs'
import { categories, deployments, logEntries, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, every, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
await createUser(database, 'staff@kustos.test', every)
await createUser(database, 'reader@kustos.test', ['view webs'])
await createUser(database, 'colleague@kustos.test', ['edit webs'])
const [typo3, shop] = await db
  .insert(categories)
  .values([{ name: 'TYPO3' }, { name: 'Shop' }])
  .returning()
const [node] = await db
  .insert(nodes)
  .values({ name: 'node1', plesk_fqdn: 'plesk1.kustos.test', cloud_enabled: true })
  .returning()

let staff = new ApiClient(origin)
beforeAll(async () => {
  staff = await signIn(origin, 'staff@kustos.test')
})

let count = 0
const nextFqdn = () => `web-${++count}.test`
const buildWeb = (fqdn = nextFqdn()) => ({ fqdn, customer: 'ALPEN', configured_ip: '192.0.2.7' })

async function createWeb(body: object = buildWeb()): Promise<Web> {
  const response = await staff.send('POST', '/api/webs', body)
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Web
}

/** As Plesk or a deployment would. */
const setSystemUser = (id: number, sysuser: string) =>
  db
    .update(webs)
    .set({ sysuser, node_id: node?.id ?? null })
    .where(eq(webs.id, id))

const listEntries = (id: number) =>
  db
    .select()
    .from(logEntries)
    .where(and(eq(logEntries.subject_type, 'web'), eq(logEntries.subject_id, id)))
    .orderBy(desc(logEntries.id))

describe('a new web', () => {
  it('is returned with 201, listed and logged', async () => {
    const web = await createWeb({
      ...buildWeb('Übergrößen-Träger.test'),
      node: 'node1',
      categories: [typo3?.id, shop?.id],
      framework_name: 'TYPO3',
      framework_version: '13.4.34',
      comment: '',
      auftragnr_hosting: ['4711', '4712'],
      monitoring_web_reporting_channel: 'mail, slack',
      monitoring_web_active: 0,
      unknown_field: 'ignored',
    })
    expect(web).toMatchObject({
      fqdn: 'übergrößen-träger.test',
      node: 'node1',
      categories: [{ name: 'Shop' }, { name: 'TYPO3' }],
      comment: null,
      auftragnr_hosting: ['4711', '4712'],
      monitoring_web_reporting_channel: 'slack,mail',
      monitoring_web_active: 0,
      metadata: { topics: [] },
      deleted_at: null,
    })
    const list = await staff.json<WebList>('/api/webs')
    expect(list.data.find((listed) => listed.id === web.id)).toEqual(web)
    expect(await staff.json(`/api/webs/${web.id}`)).toEqual(web)
    const [entry] = await listEntries(web.id)
    expect(entry).toMatchObject({
      log_name: 'webs',
      description: 'created',
      properties: { attributes: { fqdn: web.fqdn, node: web.node } },
    })
    expect(entry?.causer_id).not.toBeNull()
  })

  it.each([
    ['an empty body', {}, ['fqdn', 'customer', 'configured_ip']],
    [
      'wrong types',
      { ...buildWeb(), fqdn: 7, customer: [], configured_ip: {} },
      ['fqdn', 'customer', 'configured_ip'],
    ],
    ['blank text', { fqdn: ' ', customer: ' ', configured_ip: ' ' }, ['fqdn', 'customer', 'configured_ip']],
    ['a URL for a host name', { ...buildWeb(), fqdn: 'https://a.test/' }, ['fqdn']],
    ['one label', { ...buildWeb(), fqdn: 'localhost' }, ['fqdn']],
    ['an address for a host name', { ...buildWeb(), fqdn: '192.0.2.1' }, ['fqdn']],
    ['a label over 63 characters', { ...buildWeb(), fqdn: `${'a'.repeat(64)}.test` }, ['fqdn']],
    ['a Cyrillic letter among Latin ones', { ...buildWeb(), fqdn: 'p\u0430ypal.test' }, ['fqdn']],
    ['a change of direction in a name', { ...buildWeb(), customer: 'ALPEN\u202e' }, ['customer']],
    ['an isolate in a framework', { ...buildWeb(), framework_name: '\u2067TYPO3' }, ['framework_name']],
    [
      'a mark in an order number',
      { ...buildWeb(), auftragnr_hosting: ['47\u200e11'] },
      ['auftragnr_hosting.0'],
    ],
    ['an underscore', { ...buildWeb(), fqdn: 'a_b.test' }, ['fqdn']],
    ['a host name for an address', { ...buildWeb(), configured_ip: 'a.test' }, ['configured_ip']],
    ['NUL', { ...buildWeb(), customer: 'a\u0000b' }, ['customer']],
    ['NUL in a node', { ...buildWeb(), node: '\u0000' }, ['node']],
    ['an unknown category', { ...buildWeb(), categories: [999_999] }, ['categories']],
    ['a category beyond integers', { ...buildWeb(), categories: [2 ** 40] }, ['categories.0']],
    ['a category of text', { ...buildWeb(), categories: ['TYPO3'] }, ['categories.0']],
    ['an unknown node', { ...buildWeb(), node: 'node9' }, ['node']],
    [
      'an unknown channel',
      { ...buildWeb(), monitoring_web_reporting_channel: 'pager' },
      ['monitoring_web_reporting_channel'],
    ],
    ['a comma in an order number', { ...buildWeb(), auftragnr_hosting: ['1,2'] }, ['auftragnr_hosting.0']],
    ['a long comment', { ...buildWeb(), comment: 'a'.repeat(10_001) }, ['comment']],
    ['active beyond 0 and 1', { ...buildWeb(), monitoring_web_active: 2 }, ['monitoring_web_active']],
    ['a list', [buildWeb()], ['body']],
  ])('with %s is rejected and not stored', async (_, body, fields) => {
    const before = await staff.json<WebList>('/api/webs')
    const response = await staff.send('POST', '/api/webs', body)
    expect(response.status).toBe(422)
    const { message, errors } = (await response.json()) as {
      message: string
      errors: Record<string, string[]>
    }
    expect(Object.keys(errors).sort()).toEqual(fields.sort())
    expect(message).not.toBe('')
    expect((await staff.json<WebList>('/api/webs')).data).toHaveLength(before.data.length)
  })

  it('is created once by twenty identical requests at the same time', async () => {
    const body = buildWeb('straße.test')
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => staff.send('POST', '/api/webs', body)),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([201, ...Array(19).fill(422)])
    const again = await staff.send('POST', '/api/webs', buildWeb('XN--STRAE-OQA.test'))
    expect(await again.json()).toMatchObject({ errors: { fqdn: ['There is already a web with this FQDN'] } })
  })
})

describe('an edit', () => {
  it('changes the sent fields and logs old and new values', async () => {
    const web = await createWeb({ ...buildWeb(), comment: 'as it was', categories: [typo3?.id] })
    const { fqdn, configured_ip, updated_at } = web
    const body = { fqdn, configured_ip, customer: 'BERGE', categories: [shop?.id], updated_at }
    const response = await staff.send('PUT', `/api/webs/${web.id}`, body)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(await staff.json(`/api/webs/${web.id}`)).toMatchObject({
      customer: 'BERGE',
      comment: 'as it was',
      categories: [{ name: 'Shop' }],
    })
    const [entry] = await listEntries(web.id)
    expect(entry).toMatchObject({ description: 'updated' })
    expect(entry?.properties).toEqual({
      old: { customer: 'ALPEN', categories: ['TYPO3'] },
      attributes: { customer: 'BERGE', categories: ['Shop'] },
    })
  })

  it.each([
    ['the required fields', () => ({})],
    ['all fields', ({ comment, auftragnr_hosting }: Web) => ({ comment, auftragnr_hosting, node: 'node1' })],
    ['its categories in another order', () => ({ categories: [shop?.id, typo3?.id, shop?.id] })],
    ['its FQDN in capitals', ({ fqdn }: Web) => ({ fqdn: fqdn.toUpperCase() })],
  ])('leaves no log entry, no new time and no new list if it repeats %s', async (_, repeat) => {
    const web = await createWeb({
      ...buildWeb(),
      node: 'node1',
      comment: 'as it was',
      auftragnr_hosting: ['4711'],
      categories: [typo3?.id, shop?.id],
    })
    const readEtag = async () => (await staff.fetch('/api/webs')).headers.get('etag')
    const etag = await readEtag()
    const body = { ...buildWeb(web.fqdn), ...repeat(web) }
    expect((await staff.send('PUT', `/api/webs/${web.id}`, body)).status).toBe(204)
    expect(await staff.json(`/api/webs/${web.id}`)).toEqual(web)
    expect(await listEntries(web.id)).toHaveLength(1)
    expect(await readEtag()).toBe(etag)
  })

  it('of a stale version is rejected with 409 and names who saved first', async () => {
    const web = await createWeb()
    const colleague = await signIn(origin, 'colleague@kustos.test')
    const theirs = { ...buildWeb(web.fqdn), comment: 'theirs', updated_at: web.updated_at }
    expect((await colleague.send('PUT', `/api/webs/${web.id}`, theirs)).status).toBe(204)
    // A requested refresh is logged as well, but is not a change of the web.
    expect((await staff.send('POST', `/api/request/refreshWeb/${web.id}`)).status).toBe(204)
    const mine = await staff.send('PUT', `/api/webs/${web.id}`, { ...theirs, comment: 'mine' })
    expect(mine.status).toBe(409)
    const { message, error } = (await mine.json()) as { message: string; error: string }
    expect(error).toMatch(/^colleague@kustos\.test changed this web at \d{4}\/\d\d\/\d\d /)
    expect(message).toBe(error)
    expect(await staff.json(`/api/webs/${web.id}`)).toMatchObject({ comment: 'theirs' })
  })

  it('of a version that is stale by less than a millisecond is rejected', async () => {
    const frozen = await listen(database, { now: () => new Date('2026-11-20T12:00:00Z') })
    const client = await signIn(frozen, 'staff@kustos.test')
    const web = await createWeb()
    const firstEdit = { ...buildWeb(web.fqdn), updated_at: web.updated_at }
    expect((await client.send('PUT', `/api/webs/${web.id}`, { ...firstEdit, comment: 'first' })).status).toBe(
      204,
    )
    const second = await client.json<Web>(`/api/webs/${web.id}`)
    const next = { ...buildWeb(web.fqdn), updated_at: second.updated_at, comment: 'second' }
    expect((await client.send('PUT', `/api/webs/${web.id}`, next)).status).toBe(204)
    expect((await client.send('PUT', `/api/webs/${web.id}`, { ...next, comment: 'third' })).status).toBe(409)
  })

  it('of one version is accepted once out of twenty', async () => {
    const web = await createWeb()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        staff.send('PUT', `/api/webs/${web.id}`, {
          ...buildWeb(web.fqdn),
          comment: `comment ${n}`,
          updated_at: web.updated_at,
        }),
      ),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([204, ...Array(19).fill(409)])
  })

  it('cannot move a web to another node', async () => {
    const web = await createWeb({ ...buildWeb(), node: 'node1' })
    const body = { ...buildWeb(web.fqdn), node: null }
    const response = await staff.send('PUT', `/api/webs/${web.id}`, body)
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { errors: { node: expect.any(Array) } },
    ])
    expect((await staff.send('PUT', `/api/webs/${web.id}`, { ...body, node: 'node1' })).status).toBe(204)
  })

  it('to the FQDN of another web is rejected with 422', async () => {
    const [one, other] = [await createWeb(), await createWeb()]
    const response = await staff.send('PUT', `/api/webs/${one.id}`, buildWeb(other.fqdn.toUpperCase()))
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { errors: { fqdn: expect.any(Array) } },
    ])
  })
})

describe('a deleted web', () => {
  it('is removed from the list, visible to users who may restore it, and can be restored', async () => {
    const web = await createWeb()
    expect((await staff.send('DELETE', `/api/webs/${web.id}`)).status).toBe(204)
    const ids = async (path: string) => (await staff.json<WebList>(path)).data.map((listed) => listed.id)
    expect(await ids('/api/webs')).not.toContain(web.id)
    expect(await ids('/api/webs?deleted=1')).toContain(web.id)
    for (const [method, path] of [
      ['GET', `/api/webs/${web.id}`],
      ['PUT', `/api/webs/${web.id}`],
      ['DELETE', `/api/webs/${web.id}`],
    ] as const) {
      const response = await staff.send(method, path, method === 'PUT' ? buildWeb() : undefined)
      expect([method, response.status]).toEqual([method, 404])
    }
    expect((await staff.send('PUT', `/api/webs/${web.id}/restore`)).status).toBe(204)
    expect(await ids('/api/webs')).toContain(web.id)
    expect((await listEntries(web.id)).map((entry) => entry.description)).toEqual([
      'restored',
      'deleted',
      'created',
    ])
  })

  it('is not restored while another web has its FQDN', async () => {
    const web = await createWeb()
    await staff.send('DELETE', `/api/webs/${web.id}`)
    await createWeb(buildWeb(web.fqdn))
    const response = await staff.send('PUT', `/api/webs/${web.id}/restore`)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ error: 'Another web has taken this FQDN in the meantime.' })
  })

  it('is not restored while another web has its system user', async () => {
    const [web, other] = [await createWeb({ ...buildWeb(), node: 'node1' }), await createWeb()]
    await setSystemUser(web.id, 'bn7')
    await staff.send('DELETE', `/api/webs/${web.id}`)
    await setSystemUser(other.id, 'bn7')
    const response = await staff.send('PUT', `/api/webs/${web.id}/restore`)
    expect(response.status).toBe(409)
    const taken = { code: 'system_user_taken', params: { fqdn: other.fqdn, user: 'bn7', node: 'node1' } }
    expect(await response.json()).toMatchObject({
      error: `This web cannot be restored: ${other.fqdn} has the system user bn7 on node1.`,
      code: 'restore_without_system_user',
      params: { taken },
    })
    expect((await staff.json<WebList>('/api/webs')).data.map(({ id }) => id)).not.toContain(web.id)

    await staff.send('DELETE', `/api/webs/${other.id}`)
    expect((await staff.send('PUT', `/api/webs/${web.id}/restore`)).status).toBe(204)
    expect((await staff.send('PUT', `/api/webs/${other.id}/restore`)).status).toBe(409)
    await staff.send('DELETE', `/api/webs/${web.id}`)
  })

  it('is not restored while a requested web is going to have its system user', async () => {
    const web = await createWeb({ ...buildWeb(), node: 'node1' })
    await setSystemUser(web.id, 'bn8')
    await staff.send('DELETE', `/api/webs/${web.id}`)
    const request = { sourceRepo: 'web134-base', bnName: 'bn8', futureDomain: 'next.test', customer: 'ALPEN' }
    const at = new Date()
    await db.insert(deployments).values({
      kind: 'newWeb',
      fqdn: 'next.test',
      node_id: node?.id ?? null,
      request,
      created_at: at,
      updated_at: at,
    })
    const response = await staff.send('PUT', `/api/webs/${web.id}/restore`)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({
      error: 'This web cannot be restored: next.test will get the system user bn8 on node1.',
    })
    await db.delete(deployments)
  })

  it('and another with its system user: only one of them is restored at the same time', async () => {
    const both = [await createWeb(), await createWeb()]
    for (const { id } of both) {
      await staff.send('DELETE', `/api/webs/${id}`)
      await setSystemUser(id, 'bn9')
    }
    const responses = await Promise.all(both.map(({ id }) => staff.send('PUT', `/api/webs/${id}/restore`)))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  it('is hidden from users who may only view', async () => {
    const reader = await signIn(origin, 'reader@kustos.test')
    expect((await reader.fetch('/api/webs?deleted=1')).status).toBe(403)
  })
})

it('lists categories for every signed-in user', async () => {
  const reader = await signIn(origin, 'reader@kustos.test')
  expect(await reader.json('/api/categories')).toEqual([
    { id: shop?.id, name: 'Shop' },
    { id: typo3?.id, name: 'TYPO3' },
  ])
})
