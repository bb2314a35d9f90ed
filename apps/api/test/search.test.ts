import type { Permission } from '@kustos/contract/permissions'
import { type Found, type FoundKind, found, foundKinds, maxFoundPerKind } from '@kustos/contract/search'
import {
  batches,
  deployments,
  emails,
  externalDomains,
  nodes,
  ownDomains,
  roles,
  userRoles,
  users,
  views,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const at = new Date('2026-11-20T10:00:00Z')

async function staff(name: string, access: readonly Permission[] | 'admin') {
  const email = `${name}@staff.test`
  const id = await createUser(database, email, access)
  return { id, client: await signIn(origin, email) }
}
const admin = await staff('admin', 'admin')
const none = await staff('none', [])
const editor = await staff('editor', ['edit webs', 'view webs'])
const viewer = await staff('viewer', ['view webs'])

const response = z.object({ data: z.array(found) })
const send = (client: ApiClient, q: string) => client.fetch(`/api/search?${new URLSearchParams({ q })}`)
async function search(q: string, client = admin.client): Promise<readonly Found[]> {
  const answer = await send(client, q)
  expect(answer.status).toBe(200)
  return response.parse(await answer.json()).data
}
const labels = async (q: string, kind: FoundKind, client = admin.client) =>
  (await search(q, client)).filter((entry) => entry.kind === kind).map(({ label }) => label)

const domain = (fqdn: string) => ({ fqdn, fqdn_ascii: fqdn, customer: 'ALPEN' })
const deployment = (fqdn: string) => ({ kind: 'updateWeb', fqdn, created_at: at, updated_at: at })
const batch = (action: string, requested_by: number) => ({
  action,
  requested_by,
  parallel: 10,
  stop_above: 20,
  created_at: at,
  updated_at: at,
})
const view = (name: string, owner_id: number, more: Partial<typeof views.$inferInsert> = {}) => ({
  owner_id,
  name,
  list: 'webs' as const,
  query: '',
  column_order: [],
  column_widths: {},
  audience: 'private' as const,
  ...more,
})

/** One row of each kind whose name contains `seehof`, all of them the administrator's. */
beforeAll(async () => {
  await db.insert(nodes).values({ name: 'seehof-1', plesk_fqdn: 'panel.seehof.test' })
  await db.insert(users).values({ name: 'Eva Seehof', email: 'eva@staff.test', password_hash: '' })
  await db.insert(ownDomains).values(domain('seehof.test'))
  await db.insert(externalDomains).values({ ...domain('seehof.example'), domainprovider: 'Elsewhere' })
  await db.insert(emails).values({ address: 'info@seehof.test', customer: 'ALPEN', type: 'mailbox' })
  await db.insert(deployments).values(deployment('www.seehof.test'))
  await db.insert(batches).values(batch('seehofWebs', admin.id))
  await db.insert(views).values(view('Seehof only', admin.id))
})

describe('the search', () => {
  it('finds each kind', async () => {
    const entries = await search('seehof')
    expect(entries.map(({ kind, label, hint }) => [kind, label, hint])).toEqual([
      ['node', 'seehof-1', 'panel.seehof.test'],
      ['user', 'Eva Seehof', 'eva@staff.test'],
      ['domain', 'seehof.test', 'ALPEN'],
      ['domain', 'seehof.example', 'ALPEN'],
      ['mailbox', 'info@seehof.test', 'ALPEN'],
      ['deployment', 'www.seehof.test', 'updateWeb'],
      ['batch', 'seehofWebs', 'admin@staff.test'],
      ['view', 'Seehof only', 'webs'],
    ])
    expect(entries.filter(({ kind }) => kind === 'domain').map(({ id }) => id)).toEqual([
      'own-1',
      'external-1',
    ])
  })

  it('ignores case and surrounding spaces', async () => {
    expect(await search('  SEEHOF ')).toEqual(await search('seehof'))
  })

  it('begins with the exact match, then those at the start, at most five of a kind', async () => {
    const names = ['xx-rank', 'rank-2', 'rank', 'rank-1', 'yy-rank', 'rank-3', 'rank-4']
    await db.insert(nodes).values(names.map((name) => ({ name, plesk_fqdn: 'panel.test' })))
    const expected = ['rank', 'rank-1', 'rank-2', 'rank-3', 'rank-4']
    expect(await labels('rank', 'node')).toEqual(expected)
    expect(expected).toHaveLength(maxFoundPerKind)
    expect(await labels('x-rank', 'node')).toEqual(['xx-rank'])
  })

  it('ranks own and external domains together', async () => {
    const own = ['a.rank.test', 'b.rank.test', 'c.rank.test', 'd.rank.test', 'e.rank.test'].map(domain)
    await db.insert(ownDomains).values(own)
    await db.insert(externalDomains).values({ ...domain('rank.test'), domainprovider: 'Elsewhere' })
    expect(await labels('rank.test', 'domain')).toEqual([
      'rank.test',
      'a.rank.test',
      'b.rank.test',
      'c.rank.test',
      'd.rank.test',
    ])
  })

  it('shows the latest deployments first', async () => {
    const rows = ['a.latest.test', 'b.latest.test', 'c.latest.test'].map(deployment)
    await db.insert(deployments).values(rows)
    expect(await labels('latest', 'deployment')).toEqual(['c.latest.test', 'b.latest.test', 'a.latest.test'])
  })

  it('finds deployments and batches by their number, but not by a part of it', async () => {
    const { id } = only(await db.select().from(deployments).where(eq(deployments.fqdn, 'www.seehof.test')))
    expect(await labels(`#${id}`, 'deployment')).toEqual(['www.seehof.test'])
    expect(await labels('#1', 'batch')).toEqual(['seehofWebs'])
    expect(await labels('#0', 'batch')).toEqual([])
  })

  it('shows deleted users after the others, as their list does', async () => {
    const row = { password_hash: '', name: 'Anton Former' }
    await db.insert(users).values([
      { ...row, email: 'anton@staff.test', deleted_at: at },
      { ...row, email: 'zoe@staff.test', name: 'Zoe Former' },
    ])
    expect(await labels('former', 'user')).toEqual(['Zoe Former', 'Anton Former'])
  })
})

describe('permissions', () => {
  const needed: Readonly<Partial<Record<FoundKind, readonly Permission[]>>> = {
    node: ['manage nodes'],
    user: ['view admin panel'],
    mailbox: ['view limitis email'],
    deployment: ['view queue'],
    batch: ['view queue'],
  }
  it.each(Object.entries(needed))('a %s is found with its permission only', async (kind, granted) => {
    const { client } = await staff(`viewer-of-${kind}`, granted)
    const kinds = (await search('seehof', client)).map((entry) => entry.kind)
    expect(new Set(kinds)).toEqual(new Set(granted[0] === 'view queue' ? ['deployment', 'batch'] : [kind]))
  })

  it('own and external domains are found with the permission for their list', async () => {
    const own = await staff('viewer-of-own', ['view limitis domains'])
    const external = await staff('viewer-of-external', ['view external domains'])
    expect(await labels('seehof', 'domain', own.client)).toEqual(['seehof.test'])
    expect(await labels('seehof', 'domain', external.client)).toEqual(['seehof.example'])
  })

  it.each(foundKinds)('no %s is found without any permission', async (kind) => {
    expect(await labels('seehof', kind, none.client)).toEqual([])
  })

  it('nothing is found before signing in', async () => {
    expect((await send(new ApiClient(origin), 'seehof')).status).toBe(401)
  })

  it('a batch is found by who requested it and by those who see the queue', async () => {
    await db.insert(batches).values(batch('editorsWebs', editor.id))
    expect(await labels('editorsWebs', 'batch', editor.client)).toEqual(['editorsWebs'])
    expect(await labels('editorsWebs', 'batch')).toEqual(['editorsWebs'])
    expect(await labels('seehofWebs', 'batch', editor.client)).toEqual([])
    expect(await labels('editorsWebs', 'batch', viewer.client)).toEqual([])
  })

  it('a view is found by its owner and by those with whom it is shared, if they may open its list', async () => {
    const role = only(
      await db
        .select({ id: roles.id })
        .from(roles)
        .innerJoin(userRoles, eq(userRoles.role_id, roles.id))
        .where(eq(userRoles.user_id, editor.id)),
    )
    await db
      .insert(views)
      .values([
        view('Shared private', viewer.id),
        view('Shared role', viewer.id, { audience: 'role', role_id: role.id }),
        view('Shared everyone', viewer.id, { audience: 'everyone' }),
        view('Shared queue', admin.id, { audience: 'everyone', list: 'queue' }),
      ])
    const of = (client: ApiClient) => labels('shared', 'view', client)
    expect(await of(viewer.client)).toEqual(['Shared everyone', 'Shared private', 'Shared role'])
    expect(await of(editor.client)).toEqual(['Shared everyone', 'Shared role'])
    expect(await of(admin.client)).toEqual(['Shared everyone', 'Shared queue'])
    expect(await of(none.client)).toEqual([])
  })
})

describe('any text', () => {
  const strange = ['100% sure', 'under_score', `o'neil "quoted"`, 'back\\slash', "x'; drop table views; --"]
  beforeAll(async () => {
    await db.insert(views).values([...strange, 'Bäckerei Größe'].map((name) => view(name, admin.id)))
  })

  it.each(strange)('%s is found by itself only', async (name) => {
    expect(await labels(name, 'view')).toEqual([name])
  })

  it.each([
    ['0%', ['100% sure']],
    ['%%', []],
    ['r_s', ['under_score']],
    ['__', []],
    ['100_', []],
    [`'n`, [`o'neil "quoted"`]],
    ['k\\s', ['back\\slash']],
    ['BÄCKEREI', ['Bäckerei Größe']],
    ['größe'.normalize('NFD'), ['Bäckerei Größe']],
    ['backerei', []],
  ])('%s is no pattern', async (q, expected) => {
    expect(await labels(q, 'view')).toEqual(expected)
  })

  it.each([
    ['nothing', ''],
    ['one letter', 'a'],
    ['one letter between spaces', '  a  '],
    ['NUL', 'see\u0000hof'],
    ['201 characters', 'x'.repeat(201)],
  ])('%s is refused', async (_, q) => {
    const answer = await send(admin.client, q)
    expect(answer.status).toBe(422)
    expect(Object.keys(((await answer.json()) as { errors: object }).errors)).toEqual(['q'])
  })

  it('finds names whose umlaut was pasted in two parts', async () => {
    const name = 'Zürcher'.normalize('NFD')
    await db.insert(users).values({ name, email: 'zuercher@staff.test', password_hash: '' })
    await db.insert(nodes).values({ name, plesk_fqdn: 'panel.test' })
    await db.insert(views).values(view(name, admin.id))
    for (const q of ['Zürcher', 'zürch'.normalize('NFD')])
      expect((await search(q)).map(({ kind, label }) => [kind, label])).toEqual([
        ['node', name],
        ['user', name],
        ['view', name],
      ])
  })

  it('200 characters, two letters and missing text are answered', async () => {
    expect(await search('x'.repeat(200))).toEqual([])
    expect(await search('zq')).toEqual([])
    expect((await admin.client.fetch('/api/search')).status).toBe(422)
  })
})
