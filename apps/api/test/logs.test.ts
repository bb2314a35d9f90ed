import { type LogList, logLimit, logList } from '@kustos/contract/logs'
import { deployments, externalDomains, logEntries, roles, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)

let reader: ApiClient
let readerId: number
/** The entries of these tests start here, a year before those of the sign-ins. */
const start = Date.UTC(2025, 0, 1)
const at = (minute: number) => new Date(start + minute * 60_000)

type Entry = Partial<typeof logEntries.$inferInsert>
const write = async (...entries: Entry[]) =>
  (
    await db
      .insert(logEntries)
      .values(
        entries.map((entry, index) => ({
          created_at: at(index),
          log_name: 'webs',
          description: 'updated',
          properties: {},
          ...entry,
        })),
      )
      .returning({ id: logEntries.id })
  ).map(({ id }) => id)

async function read(query = ''): Promise<LogList> {
  const response = await reader.fetch(`/api/logs${query}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return logList.parse(await response.json())
}
const ids = async (query: string) => (await read(query)).data.map(({ id }) => id)

beforeAll(async () => {
  readerId = await createUser(database, 'reader@kustos.test', ['view logs'])
  reader = await signIn(origin, 'reader@kustos.test')
})

describe('the log', () => {
  it('is sorted newest first and names the causer', async () => {
    const deleted = await createUser(database, 'deleted@kustos.test', [])
    await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, deleted))
    const written = await write(
      { properties: { old: { customer: 'ALPEN' }, attributes: { customer: 'BERG' } }, causer_id: deleted },
      { description: 'deleted' },
    )
    const list = await read()
    const [latest] = list.data
    expect(latest).toMatchObject({ log_name: 'auth', causer_id: readerId })
    const own = list.data.filter(({ id }) => written.includes(id))
    expect(own).toEqual<unknown[]>([
      {
        id: written[1],
        created_at: '2025-01-01T00:01:00+00:00',
        log_name: 'webs',
        description: 'deleted',
        subject_type: null,
        subject_id: null,
        subject_name: null,
        causer_id: null,
        properties: {},
        request_id: null,
        names: null,
      },
      {
        id: written[0],
        created_at: '2025-01-01T00:00:00+00:00',
        log_name: 'webs',
        description: 'updated',
        subject_type: null,
        subject_id: null,
        subject_name: null,
        causer_id: deleted,
        properties: { old: { customer: 'ALPEN' }, attributes: { customer: 'BERG' } },
        request_id: null,
        names: null,
      },
    ])
    expect(list.users).toEqual([
      { id: readerId, email: 'reader@kustos.test' },
      { id: deleted, email: 'deleted@kustos.test' },
    ])
  })

  it('names no other users than those of its entries to readers who may not see the list of users', async () => {
    const quiet = await createUser(database, 'quiet@kustos.test', [])
    const busy = await createUser(database, 'busy@kustos.test', [])
    await write({ causer_id: busy, log_name: 'busy' })
    expect((await read()).users.map(({ id }) => id)).not.toContain(quiet)
    expect((await read('?log=busy')).users).toEqual([{ id: busy, email: 'busy@kustos.test' }])
    expect((await read(`?causer=${quiet}`)).users).toEqual([])
    await createUser(database, 'administrator@kustos.test', ['view logs', 'view admin panel'])
    const administrator = await signIn(origin, 'administrator@kustos.test')
    const { users: all } = await administrator.json<LogList>('/api/logs?log=busy')
    expect(all).toEqual(expect.arrayContaining([{ id: quiet, email: 'quiet@kustos.test' }]))
  })

  it('requires the permission to view logs', async () => {
    await createUser(database, 'nobody@kustos.test', ['view webs'])
    const nobody = await signIn(origin, 'nobody@kustos.test')
    expect((await nobody.fetch('/api/logs')).status).toBe(403)
  })

  it.each([
    'limit=0',
    `limit=${logLimit.max + 1}`,
    'limit=many',
    'before=-1',
    'causer=somebody',
    'causer=0',
    'id=0',
    'without=nothing',
    'subject_type=planet',
    'search=%25',
    'subject_id=1',
    'from=yesterday',
    'from=2025-01-02T00:00:00Z&to=2025-01-01T00:00:00Z',
  ])('rejects %s and names the invalid field', async (query) => {
    const response = await reader.fetch(`/api/logs?${query}`)
    expect(response.status).toBe(422)
    const { errors } = (await response.json()) as { errors: object }
    expect(Object.keys(errors)).toHaveLength(1)
  })
})

describe('pages', () => {
  it('have a thousand entries, or as many as requested', async () => {
    await write(...Array.from({ length: 1005 }, (_, index) => ({ created_at: at(-index) })))
    expect((await read()).data).toHaveLength(logLimit.default)
    expect((await read('?limit=3')).data).toHaveLength(3)
    expect((await read(`?limit=${logLimit.max}`)).data.length).toBeGreaterThan(1005)
  })

  it('have no gaps or repetitions, even with equal times and late entries', async () => {
    const log = 'paging'
    const [first, second, third, late] = await write(
      { log_name: log, created_at: at(5) },
      { log_name: log, created_at: at(6) },
      { log_name: log, created_at: at(6) },
      { log_name: log, created_at: at(4) },
    )
    expect(await ids(`?log=${log}`)).toEqual([third, second, first, late])
    expect(await ids(`?log=${log}&limit=2&before=${third}`)).toEqual([second, first])
    expect(await ids(`?log=${log}&before=${first}`)).toEqual([late])
    expect(await ids(`?log=${log}&before=${late}`)).toEqual([])
  })

  it('rejects an unknown `before` id', async () => {
    const response = await reader.fetch('/api/logs?before=999999999')
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { before: ['There is no such entry'] } })
  })
})

describe('filters', () => {
  it('find a single old entry by its id', async () => {
    const [entry] = await write({ log_name: 'one', created_at: at(-9_000_000) })
    expect(await ids(`?id=${entry}`)).toEqual([entry])
    expect(await ids(`?id=${entry}&log=other`)).toEqual([])
    expect(await ids('?id=999999999')).toEqual([])
  })

  it('exclude a log and still fill the page', async () => {
    const about = { subject_type: 'user', subject_id: 4713 }
    const [created, , updated] = await write(
      { ...about, log_name: 'users', created_at: at(0) },
      { ...about, log_name: 'auth', created_at: at(1) },
      { ...about, log_name: 'roles', created_at: at(2) },
      { ...about, log_name: 'auth', created_at: at(3) },
    )
    const query = '?subject_type=user&subject_id=4713&without=auth'
    expect(await ids(`${query}&limit=2`)).toEqual([updated, created])
    expect(await ids(`${query}&limit=1&before=${updated}`)).toEqual([created])
  })

  it('explain an invalid causer', async () => {
    const response = await reader.fetch('/api/logs?causer=abc')
    expect(await response.json()).toMatchObject({
      errors: { causer: ['Must be an id, such as 17, or none'] },
    })
  })

  it('select a causer, or entries without a signed-in user', async () => {
    const causer = await createUser(database, 'causer@kustos.test', [])
    const log = 'causers'
    const [byUser, bySystem] = await write({ log_name: log, causer_id: causer }, { log_name: log })
    expect(await ids(`?causer=${causer}`)).toEqual([byUser])
    expect(await ids(`?log=${log}&causer=none`)).toEqual([bySystem])
    const [latest, next] = (await read('?causer=none')).data
    expect(latest?.causer_id).toBeNull()
    expect(Date.parse(next?.created_at ?? '')).toBeLessThanOrEqual(Date.parse(latest?.created_at ?? ''))
  })

  it('select a subject, or a type of subjects', async () => {
    const [web, user, other] = await write(
      { subject_type: 'web', subject_id: 4711, log_name: 'subjects' },
      { subject_type: 'user', subject_id: 4711, log_name: 'subjects' },
      { subject_type: 'web', subject_id: 4712, log_name: 'subjects' },
    )
    expect(await ids('?subject_type=web&subject_id=4711')).toEqual([web])
    expect(await ids('?subject_type=user&log=subjects')).toEqual([user])
    expect(await ids('?subject_type=web&log=subjects')).toEqual([other, web])
  })

  it('select a time range that excludes its end', async () => {
    const log = 'times'
    const [, first, second] = await write(...Array.from({ length: 4 }, () => ({ log_name: log })))
    const query = new URLSearchParams({ log, from: at(1).toISOString(), to: at(3).toISOString() })
    expect(await ids(`?${query}`)).toEqual([second, first])
    query.set('from', '2025-01-01T01:02:00+01:00')
    expect(await ids(`?${query}`)).toEqual([second])
  })
})

it('has pages without gaps within filters and time ranges', async () => {
  const log = 'paging-b'
  const causer = await createUser(database, 'pager@kustos.test', [])
  const entry = { log_name: log, causer_id: causer, subject_type: 'web', subject_id: 5000 }
  const written = await write(...Array.from({ length: 6 }, () => entry))
  // Rows next to these in each index.
  await write(
    { ...entry, log_name: 'paging-a', causer_id: null, subject_id: 4999 },
    { ...entry, log_name: 'paging-c', causer_id: null, subject_id: 5001 },
  )
  const [, second, third, fourth, fifth] = written
  for (const filter of [
    { log },
    { causer: String(causer) },
    { subject_type: 'web', subject_id: '5000' },
    { log, causer: String(causer) },
    { log, subject_type: 'web' },
  ]) {
    const page = (more: Record<string, string>) =>
      ids(`?${new URLSearchParams({ ...filter, ...more } as Record<string, string>)}`)
    expect(await page({})).toEqual(written.toReversed())
    expect(await page({ before: String(fifth), limit: '2' })).toEqual([fourth, third])
    expect(await page({ from: at(1).toISOString(), to: at(4).toISOString() })).toEqual([
      fourth,
      third,
      second,
    ])
    const range = { from: at(1).toISOString(), to: at(4).toISOString(), before: String(fourth) }
    expect(await page(range)).toEqual([third, second])
    expect(await page({ to: at(2).toISOString(), before: String(fifth) })).toEqual([second, written[0]])
  }
})

describe('a subject', () => {
  const listNames = async (type: string, id: number) =>
    (await read(`?subject_type=${type}&subject_id=${id}`)).data.map(({ subject_name }) => subject_name)
  const domain = {
    fqdn: 'extern.test',
    fqdn_ascii: 'extern.test',
    customer: 'ALPEN',
    domainprovider: 'Other',
  }

  it('has its current name', async () => {
    const [web] = await db
      .insert(webs)
      .values({
        fqdn: 'bäcker.test',
        fqdn_ascii: 'xn--bcker-gra.test',
        customer: 'ALPEN',
        configured_ip: '192.0.2.1',
        deleted_at: new Date(),
      })
      .returning({ id: webs.id })
    const now = new Date()
    const [deployment] = await db
      .insert(deployments)
      .values({ kind: 'backupWeb', fqdn: 'bäcker.test', created_at: now, updated_at: now })
      .returning({ id: deployments.id })
    const [role] = await db.select().from(roles).where(eq(roles.name, 'admin'))
    const [external] = await db.insert(externalDomains).values(domain).returning()
    const subjects = [
      ['web', web?.id, 'bäcker.test'],
      ['user', readerId, 'reader@kustos.test'],
      ['role', role?.id, 'admin'],
      ['deployment', deployment?.id, 'backupWeb bäcker.test'],
      ['external_domain', external?.id, 'extern.test'],
    ] as const
    for (const [subject_type, subject_id = 0, name] of subjects) {
      await write({ subject_type, subject_id, properties: { attributes: { fqdn: 'as it was' } } })
      expect(await listNames(subject_type, subject_id)).toContain(name)
    }
  })

  it('uses the last logged name of a removed subject', async () => {
    await write(
      { subject_type: 'external_domain', subject_id: 99, properties: { attributes: domain } },
      {
        subject_type: 'external_domain',
        subject_id: 99,
        properties: { old: { fqdn: 'extern.test' }, attributes: { fqdn: 'renamed.test' } },
      },
      { subject_type: 'external_domain', subject_id: 99, properties: { old: { fqdn: 'renamed.test' } } },
      { subject_type: 'role', subject_id: 99, properties: { old: { name: 'hosting' } } },
    )
    expect(await listNames('external_domain', 99)).toEqual(Array(3).fill('renamed.test'))
    expect(await listNames('role', 99)).toEqual(['hosting'])
  })

  it('has no name if none was logged', async () => {
    await write({ subject_type: 'web', subject_id: 98 }, { subject_type: 'planet', subject_id: 3 })
    expect(await listNames('web', 98)).toEqual([null])
    const [planet] = (await read('?limit=10000')).data.filter(({ subject_type }) => subject_type === 'planet')
    expect(planet).toMatchObject({ subject_name: null, subject_id: 3 })
  })
})
