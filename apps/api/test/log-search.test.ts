import { type LogCount, type LogList, logCount, logCountLimit, logList } from '@kustos/contract/logs'
import type { Permission } from '@kustos/contract/permissions'
import { customers, deployments, externalDomains, logEntries, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'
import { readLastEntryId } from './last-entry.ts'
import { stopClock } from './stopped-clock.ts'

const database = await testDatabase()
const { db } = database
// A Thursday afternoon in Rome.
const now = new Date('2026-11-26T15:00:00Z')
stopClock(now.toISOString())
const origin = await listen(database)

const clients = new Map<string, ApiClient>()
function client(name: string): ApiClient {
  const found = clients.get(name)
  if (!found) throw new Error(`Nobody is called ${name}`)
  return found
}
let causer = 0

type Entry = Partial<typeof logEntries.$inferInsert>
/** @returns the ids */
async function write(...entries: Entry[]): Promise<number[]> {
  const rows = entries.map((entry, index) => ({
    created_at: new Date(now.getTime() - 3_600_000 + index * 1000),
    log_name: 'webs',
    description: 'updated',
    properties: {},
    ...entry,
  }))
  return (await db.insert(logEntries).values(rows).returning({ id: logEntries.id })).map(({ id }) => id)
}
/** Many alike, a second after another. */
const writeMany = (log: string, count: number) =>
  database.owner.pool.query(
    `insert into log_entries (created_at, log_name, description, properties)
    select $1::timestamptz - interval '1 second' * n, $2, 'updated', '{"attributes":{"comment":"=1+1, \\"a\\""}}'
    from generate_series(1, $3::int) n`,
    [now, log, count],
  )

type Filter = Readonly<Record<string, string | number>>
const query = (filter: Filter) =>
  new URLSearchParams(
    Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()

async function find(filter: Filter, by = 'admin'): Promise<number[]> {
  const list = await client(by).json<LogList>(`/api/logs?${query(filter)}`)
  return logList.parse(list).data.map(({ id }) => id)
}
const countEntries = async (filter: Filter) =>
  logCount.parse(await client('admin').json<LogCount>(`/api/logs/count?${query(filter)}`))

async function addWeb(fields: Partial<typeof webs.$inferInsert> & { fqdn: string }) {
  const [row] = await db
    .insert(webs)
    .values({ fqdn_ascii: fields.fqdn, customer: 'OTHER', configured_ip: '192.0.2.1', ...fields })
    .returning({ id: webs.id })
  return { subject_type: 'web', subject_id: row?.id ?? 0 }
}

beforeAll(async () => {
  const users: Record<string, Permission[] | 'admin'> = { admin: 'admin', reader: ['view logs'] }
  for (const [name, granted] of Object.entries(users)) {
    await createUser(database, `${name}@kustos.test`, granted)
    clients.set(name, await signIn(origin, `${name}@kustos.test`))
  }
  causer = await createUser(database, 'lieselotte@kustos.test', [])
})

describe('the search', () => {
  it('finds the beginnings of words in values, fields, actions and names of logs, whatever their case', async () => {
    const comment = 'Grüße an "Frau Öztürk"\nund O’Brien, Tel. +39-0471'
    const [entry] = await write({
      log_name: 'texts',
      description: 'restored',
      request_id: '6f1c2a52-0b9e-4e77-9d0a-3e5d8c1f7b21',
      properties: {
        old: { framework_name: null },
        attributes: { framework_name: 'TYPO3', comment, batch: 4711 },
      },
    })
    for (const search of [
      'grüße',
      'GRÜ',
      'öztür',
      'und',
      'brien',
      'o’brien',
      '"Frau',
      '39-0471',
      'framework_name',
      'typo3 restored',
      'texts öztürk 4711',
      'ty',
      '6f1c2a52-0b9e-4e77-9d0a-3e5d8c1f7b21',
    ])
      expect([search, await find({ search })]).toEqual([search, [entry]])
    // Of the parts of a word, the last one may be a beginning.
    expect(await find({ search: 'framework_na' })).toEqual([entry])
    expect(await find({ search: 'öztürk'.normalize('NFD') })).toEqual([entry])
    for (const search of ['rüße', 'framework_names', 'frame_name', 'typo3 deleted', 'nowhere'])
      expect([search, await find({ search })]).toEqual([search, []])
  })

  it('finds a part of the name of the subject, and of the causer', async () => {
    const about = await addWeb({ fqdn: 'www.bäckerei-huber.test', customer: 'HUBERBROT' })
    const [entry] = await write({ ...about, causer_id: causer })
    for (const search of ['ckerei-hub', 'bäckerei', 'UBERBRO', 'selotte@kus', 'huber lieselotte'])
      expect([search, await find({ search })]).toEqual([search, [entry]])
    expect(await find({ search: 'huber someone' })).toEqual([])
  })

  it('finds names whose umlauts were pasted in two parts', async () => {
    const code = 'GRÖDNER HÜTTE'.normalize('NFD')
    const about = await addWeb({ fqdn: 'huette.test', customer: code })
    const [customer] = await db.select().from(customers).where(eq(customers.code, code))
    const [first, second] = await write(about, { subject_type: 'customer', subject_id: customer?.id ?? 0 })
    for (const search of ['rödner', 'GRÖDNER hütte', 'rödner'.normalize('NFD')])
      expect([search, await find({ search })]).toEqual([search, [second, first]])
  })

  it('finds what was written with umlauts in two parts', async () => {
    const fields = { fqdn: 'written.test', customer: 'OTHER', configured_ip: '192.0.2.1' }
    const comment = 'Anruf von Frau Übelhör'.normalize('NFD')
    expect((await client('admin').send('POST', '/api/webs', { ...fields, comment })).status).toBe(201)
    for (const search of ['Übelhör', 'übelhö'.normalize('NFD')])
      expect([search, await find({ search })]).toEqual([search, [await readLastEntryId(db)]])
  })

  it('finds nothing by a name that the reader may not see', async () => {
    const about = await addWeb({ fqdn: 'hidden.test', customer: 'SECRETCUSTOMER' })
    const [entry] = await write(about)
    expect(await find({ search: 'hidden.te' }, 'reader')).toEqual([entry])
    for (const filter of [{ search: 'SECRETCUST' }, { customer: 'SECRETCUSTOMER' }]) {
      expect(await find(filter, 'admin')).toEqual([entry])
      expect(await find(filter, 'reader')).toEqual([])
    }
  })

  it('reads page by page, without gaps or repetitions, however far apart the entries are', async () => {
    const day = 24 * 3_600_000
    const ages = [0, 1, 1, 5, 40, 400, 4000, 40_000]
    const written = await write(
      ...ages.map((age) => ({
        created_at: new Date(now.getTime() - age * day),
        properties: { attributes: { comment: 'Spreizung' } },
      })),
    )
    // More than the first span of time has.
    await writeMany('other', 8500)
    const all: number[] = []
    for (let page = await find({ search: 'spreizung', limit: 3 }); page.length > 0; ) {
      all.push(...page)
      page = await find({ search: 'spreizung', limit: 3, before: all.at(-1) ?? 0 })
    }
    expect(all).toEqual([written[0], written[2], written[1], ...written.slice(3)])
    expect(await find({ search: 'spreizung' })).toEqual(all)
    const from = new Date(now.getTime() - 41 * day).toISOString()
    expect(await find({ search: 'spreizung', from })).toEqual(all.slice(0, 5))
  })

  it.each(['%', '_', "'", '\\', '🦉', '"', '.*', '- -'])(
    'rejects %s, which has nothing to look for',
    async (search) => {
      const response = await client('admin').fetch(`/api/logs?${query({ search })}`)
      const { errors } = (await response.json()) as { errors: object }
      expect([response.status, Object.keys(errors)]).toEqual([422, ['search']])
    },
  )

  it.each([
    'a%b',
    "x' or '1'='1",
    "'a':*",
    '\\a',
    "a' & !b | c <-> d",
    'a:*B',
    '(a',
    '.*a',
    'a🦉b',
    '²',
    'ſ',
    'İ',
    'ا',
    '字',
    'a'.repeat(200),
    '\ud800a',
  ])('takes %s for text', async (search) => {
    for (const filter of [
      { search },
      { field: search.slice(0, 60) },
      { action: search.slice(0, 100) },
      { customer: search },
    ])
      for (const path of ['/api/logs', '/api/logs/count'])
        expect((await client('admin').fetch(`${path}?${query(filter)}`)).status).toBe(200)
  })

  it.each([
    ['search', 'a'.repeat(10_000)],
    ['search', 'a\u0000b'],
    ['search', Array.from({ length: 11 }, (_, index) => `w${index}`).join(' ')],
    ['field', ''],
    ['action', ''],
    ['customer', ''],
    ['result', 'great'],
    ['within', 'year'],
    ['from', '0000-01-01T00:00:00Z'],
  ])('rejects another %s', async (name, value) => {
    for (const path of ['/api/logs', '/api/logs/count', '/api/logs/export']) {
      const response = await client('admin').fetch(`${path}?${query({ [name]: value })}`)
      const { errors } = (await response.json()) as { errors: object }
      expect([response.status, Object.keys(errors)]).toEqual([422, [name]])
    }
  })

  it('takes times at the ends of what can be stored', async () => {
    const created_at = new Date('9999-12-31T23:00:00Z')
    await write({ created_at, properties: { attributes: { comment: 'Weltende' } } })
    const search = 'weltende'
    expect(await find({ search, from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).toHaveLength(1)
    expect(await find({ search, within: 'week' })).toHaveLength(1)
    expect(await find({ search, to: '2026-11-27T00:00:00Z' })).toEqual([])
  })

  it('ends with a message if it takes too long', async () => {
    const blocker = await database.owner.pool.connect()
    await blocker.query('begin')
    await blocker.query('lock table log_entries in access exclusive mode')
    try {
      const response = await client('admin').fetch('/api/logs?search=anything')
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ error_codes: { search: [{ code: 'log_search_slow' }] } })
    } finally {
      await blocker.query('rollback')
      blocker.release()
    }
  }, 20_000)
})

describe('the filters', () => {
  it('select an action, a result and a changed field', async () => {
    const log = 'results'
    const [updated, failed, succeeded] = await write(
      { log_name: log, properties: { old: { comment: 'a' }, attributes: { comment: 'b' } } },
      { log_name: log, description: 'backupWeb failed', properties: { attributes: { error: 'comment' } } },
      { log_name: log, description: 'backupWeb succeeded' },
    )
    expect(await find({ log, action: 'updated' })).toEqual([updated])
    expect(await find({ log, action: 'backupWeb failed' })).toEqual([failed])
    expect(await find({ log, action: 'backupWeb' })).toEqual([])
    expect(await find({ log, result: 'failed' })).toEqual([failed])
    expect(await find({ log, result: 'succeeded' })).toEqual([succeeded])
    expect(await find({ log, field: 'comment' })).toEqual([updated])
    expect(await find({ log, field: 'comm' })).toEqual([])
    const [refused] = await write({ log_name: 'auth', description: 'denied' })
    expect(await find({ result: 'refused' })).toContain(refused)
  })

  it('select a customer: its own entries, those of its webs and domains, and those that name it', async () => {
    const code = 'MÜLLERBRÄU'
    const ofWeb = await addWeb({ fqdn: 'brau.test', customer: code })
    const [customer] = await db.select({ id: customers.id }).from(customers).where(eq(customers.code, code))
    const [domain] = await db
      .insert(externalDomains)
      .values({ fqdn: 'brau.example', fqdn_ascii: 'brau.example', customer: code, domainprovider: 'Other' })
      .returning({ id: externalDomains.id })
    const written = await write(
      { subject_type: 'customer', subject_id: customer?.id ?? 0 },
      ofWeb,
      { subject_type: 'external_domain', subject_id: domain?.id ?? 0 },
      { properties: { old: { customer: code }, attributes: { customer: 'OTHER' } } },
    )
    await write({ properties: { attributes: { comment: code } } })
    expect(await find({ customer: code })).toEqual(written.toReversed())
    expect(await find({ customer: code, search: 'brau.test' })).toEqual([written[1]])
    expect(await find({ customer: 'NOBODY' })).toEqual([])
  })

  it('select today, this week and the last 30 days in Rome', async () => {
    const times = [
      '2026-10-26T22:59:59Z',
      '2026-10-26T23:00:00Z',
      '2026-11-22T23:00:00Z',
      '2026-11-25T23:00:00Z',
    ]
    const [, month, monday, midnight] = await write(
      ...times.map((at) => ({ log_name: 'periods', created_at: new Date(at) })),
    )
    const within = (period: string) => find({ log: 'periods', within: period })
    expect(await within('today')).toEqual([midnight])
    expect(await within('week')).toEqual([midnight, monday])
    expect(await within('30days')).toEqual([midnight, monday, month])
    // The later start counts.
    expect(await find({ log: 'periods', within: 'today', from: '2026-11-01T00:00:00Z' })).toEqual([midnight])
  })

  it('hide sign-ins, and say how many', async () => {
    const about = { subject_type: 'user', subject_id: causer }
    const [signedIn, denied, edited] = await write(
      { ...about, log_name: 'auth', description: 'signed in' },
      { ...about, log_name: 'auth', description: 'denied' },
      about,
    )
    const limit = logCountLimit
    expect(await find({ ...about, without: 'sign-ins' })).toEqual([edited, denied])
    expect(await find(about)).toEqual([edited, denied, signedIn])
    expect(await countEntries({ ...about, without: 'sign-ins' })).toEqual({ entries: 2, sign_ins: 1, limit })
    expect(await countEntries(about)).toEqual({ entries: 3, sign_ins: 0, limit })
  })
})

it('counts up to a limit', async () => {
  await writeMany('many', logCountLimit)
  expect((await countEntries({ log: 'many' })).entries).toBe(logCountLimit)
  await write({ log_name: 'many' })
  expect((await countEntries({ log: 'many' })).entries).toBeNull()
  expect((await countEntries({ search: 'many' })).entries).toBeNull()
})

it('names what fields have the id of', async () => {
  const at = { created_at: now, updated_at: now }
  const [deployment] = await db
    .insert(deployments)
    .values({ kind: 'backupWeb', fqdn: 'a.test', ...at })
    .returning({ id: deployments.id })
  const [named, odd] = await write(
    { properties: { attributes: { deployment: deployment?.id } } },
    { properties: { attributes: { deployment: 'x', batch: 2 ** 40, reverts_batch: [1] } } },
  )
  const readNames = async (id = 0) =>
    (await client('reader').json<LogList>(`/api/logs?id=${id}`)).data.map(({ names }) => names)
  expect(await readNames(named)).toEqual([{ deployment: 'backupWeb a.test' }])
  expect(await readNames(odd)).toEqual([null])
})

it('exports the entries that the filter leaves, on all pages, and logs it', async () => {
  const log = 'exporting'
  await writeMany(log, 1500)
  await write({ log_name: log, description: '=cmd', causer_id: causer, created_at: now })
  const before = await readLastEntryId(db)
  const response = await client('admin').fetch(`/api/logs/export?log=${log}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="log-2026-11-26.csv"')
  const bytes = new Uint8Array(await response.arrayBuffer())
  // The mark of UTF-8.
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = new TextDecoder().decode(bytes).split('\r\n')
  expect(lines).toHaveLength(1 + 1501 + 1)
  expect(lines[0]).toMatch(/^id,created_at,log_name,/)
  expect(lines[1]).toMatch(/,exporting,'=cmd,,,,\d+,lieselotte@kustos\.test,$/)
  expect(lines[2]).toMatch(/,updated,,,,,,"comment: – → =1\+1, ""a"""$/)
  expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(lines.length)
  const [recorded = 0] = await find({ log: 'audit-log', action: 'exported' })
  expect(recorded).toBeGreaterThan(before)
  const { data } = await client('admin').json<LogList>(`/api/logs?id=${recorded}`)
  expect(data[0]?.properties).toEqual({ attributes: { filter: { log } } })
})
