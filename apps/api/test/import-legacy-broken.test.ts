import {
  categories,
  customers,
  emails,
  externalDomains,
  logEntries,
  nodes,
  ownDomains,
  uptimeDays,
  users,
  webCategories,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { dayAfter, dayOf, daysFrom, listUptime } from '@kustos/domain/monitoring'
import { createContext } from '@kustos/domain/platform/context'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { createUser, listen, password, signIn } from './api-client.ts'
import { startProxy } from './legacy-proxy.ts'
import {
  admin,
  fillLegacyDatabase,
  importFrom,
  importInProcess,
  readComparable,
  readRowVersions,
} from './legacy-system.ts'
import { openTrackingContracts, pixel, usual } from './tracking-contract-kit.ts'

const former = await testDatabase()
const formerOrigin = await listen(former)
await fillLegacyDatabase(former)
const { state, url } = await startProxy(formerOrigin)
afterEach(() =>
  Object.assign(state, { maxCalls: Number.POSITIVE_INFINITY, calls: 0, onCall: null, change: null }),
)

async function openTarget() {
  const target = await testDatabase()
  await createUser(target, admin, 'admin')
  return target
}

it('completes an import that was killed at any moment or lost its source', async () => {
  const target = await openTarget()
  const origin = await listen(target)
  // Kill it during the lists, then at a random call.
  for (const call of [5 + Math.floor(3 * Math.random()), 3 + Math.floor(40 * Math.random())]) {
    const { child, ended } = importFrom(url, target)
    Object.assign(state, { calls: 0, onCall: (calls: number) => calls === call && child.kill('SIGKILL') })
    expect(await ended, `killed at call ${call}`).toMatchObject({ code: null })
  }
  // The source becomes unreachable during the uptime of the webs.
  Object.assign(state, { calls: 0, onCall: null, maxCalls: 30 })
  const { code, err } = await importFrom(url, target).ended
  expect(code).toBe(1)
  expect(err).toMatch(/^The former system cannot be reached: the connection was lost\.$/m)
  state.maxCalls = Number.POSITIVE_INFINITY
  expect((await importInProcess(url, target)).counts.webs).toMatchObject({ problems: 0 })
  const [expected, imported] = await Promise.all([
    readComparable(await signIn(formerOrigin, admin)),
    readComparable(await signIn(origin, admin)),
  ])
  expect({ ...imported, users: 0, roles: 0 }).toEqual({ ...expected, users: 0, roles: 0 })
  expect(await target.db.$count(uptimeDays)).toBe(await former.db.$count(uptimeDays))
  const entries = await target.db.select().from(logEntries).where(eq(logEntries.subject_type, 'web'))
  expect(entries.map(({ subject_id }) => subject_id).sort()).toEqual(
    imported.list.data.map(({ id }) => id).sort(),
  )
}, 180_000)

describe('rejected or restricted logins', () => {
  it('change nothing with a wrong password', async () => {
    const target = await openTarget()
    const before = await readRowVersions(target)
    const { code, out, err } = await importFrom(url, target, [], { secret: 'wrong' }).ended
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: 'The former system does not accept this e-mail and password.\n',
    })
    expect(await readRowVersions(target)).toBe(before)
  })

  it('report the lists that they may not view', async () => {
    const target = await openTarget()
    const { code, out, err } = await importFrom(url, target, [], { email: 'hosting@former.test' }).ended
    expect(code).toBe(1)
    const formatRefusal = (part: string, path: string) =>
      `SKIPPED  ${part}: The former system does not let this login use ${path} (403).`
    for (const line of [
      `${formatRefusal('users', '/api/users')} The whole list was skipped.`,
      `${formatRefusal('external-domains', '/api/externalDomains')} The whole list was skipped.`,
      `${formatRefusal('domains', '/api/limitis/domains')} The whole list was skipped.`,
      `${formatRefusal('uptime', '/api/monitoring/webs/uptime')} The remaining days were skipped.`,
    ])
      expect(out).toContain(`${line}\n`)
    expect(out).toMatch(/^webs: 39 added/m)
    expect(err).toMatch(/^Not everything was imported: see the 5 lines above/)
    expect(out + err).not.toContain(password)
  })
})

it('does not count skipped parts and those of a registrar as problems', async () => {
  const target = await openTarget()
  const { lines, counts } = await importInProcess(url, target, {
    skip: new Set(['uptime', 'users']),
    hasRegistrar: true,
  })
  expect(lines).toEqual([
    'domains: LIMITIS_API_URL is set, so own domains and mailboxes are read from the registrar.',
  ])
  expect(Object.keys(counts)).toEqual(['nodes', 'categories', 'webs', 'external-domains'])
})

it('leaves a web on its node if another web has its system user on the new one', async () => {
  const target = await openTarget()
  let node = 'one'
  state.change = (path, body) => {
    if (path !== '/api/webs') return body
    const list = JSON.parse(body) as { data: Record<string, unknown>[] }
    Object.assign(list.data[6] ?? {}, { node, sysuser: 'shared' })
    Object.assign(list.data[7] ?? {}, { node: 'two', sysuser: 'shared' })
    return JSON.stringify(list)
  }
  const skip = new Set(['uptime', 'users', 'external-domains', 'domains', 'emails'] as const)
  await importInProcess(url, target, { skip })
  const placed = () =>
    target.db
      .select({ fqdn: webs.fqdn, node: nodes.name })
      .from(webs)
      .innerJoin(nodes, eq(nodes.id, webs.node_id))
      .where(eq(webs.sysuser, 'shared'))
      .orderBy(nodes.name)
  const before = await placed()
  const [moved, other] = before
  expect(before).toMatchObject([{ node: 'one' }, { node: 'two' }])
  node = 'two'
  const { lines } = await importInProcess(url, target, { skip, overwrite: true })
  expect(lines).toContain(
    `webs: ${moved?.fqdn}: stays on one, because ${other?.fqdn} has its system user shared on two.`,
  )
  expect(await placed()).toEqual(before)
})

it('leaves a system user to a web that gets it while the webs are being imported', async () => {
  const target = await openTarget()
  const skip = new Set(['uptime', 'users', 'external-domains', 'domains', 'emails'] as const)
  let taken = ''
  state.change = (path, body) => {
    if (path !== '/api/webs') return body
    const list = JSON.parse(body) as { data: Record<string, unknown>[] }
    Object.assign(list.data[6] ?? {}, { node: 'bz-cloud-01', sysuser: 'shared' })
    taken = String(list.data[6]?.fqdn)
    return JSON.stringify(list)
  }
  const rival = await target.pool.connect()
  await rival.query('begin')
  await rival.query('lock table webs in row exclusive mode')
  const imported = importInProcess(url, target, { skip })
  await expect
    .poll(target.waitingStatements, { timeout: 30_000 })
    .toContainEqual(expect.stringContaining('lock table "webs"'))
  await rival.query(
    `insert into webs (fqdn, fqdn_ascii, customer, configured_ip, node_id, sysuser)
      select 'rival.test', 'rival.test', 'RIVAL', '192.0.2.1', id, 'shared' from nodes where name = 'bz-cloud-01'`,
  )
  await rival.query('commit')
  rival.release()
  const { lines } = await imported
  expect(lines).toContain(
    `webs: ${taken}: imported without the system user shared, which rival.test has on bz-cloud-01.`,
  )
})

it('leaves the panel of a node alone whose key is stored', async () => {
  const target = await openTarget()
  const skip = new Set(['uptime', 'users', 'external-domains', 'domains', 'emails'] as const)
  await importInProcess(url, target, { skip })
  await target.db.update(nodes).set({ plesk_key: 'sealed' }).where(eq(nodes.name, 'bz-cloud-01'))
  state.change = (path, body) =>
    path === '/api/webs' ? body.replaceAll('.host.test"', '.other.test"') : body
  const { lines } = await importInProcess(url, target, { skip, overwrite: true })
  expect(lines).toContain('nodes: bz-cloud-01 differs here in plesk_fqdn and stays unchanged.')
  expect(await target.db.select().from(nodes).orderBy(nodes.name)).toMatchObject([
    { name: 'bz-cloud-01', plesk_fqdn: 'bz-cloud-01.host.test' },
    { name: 'legacy-01', plesk_fqdn: 'legacy-01.other.test' },
  ])
})

it('compares a web with the contract of its new customer at once', async () => {
  const target = await openTarget()
  const { reset, audit, saveDraft, readDrift } = await openTrackingContracts(target)
  const [web] = await reset()
  await audit(web, usual())
  await saveDraft()
  await audit(web, [...usual(), pixel])
  expect(await readDrift(web)).toMatchObject({ has_contract: true, differences: [{ kind: 'unexpected' }] })
  state.change = (path, body) => {
    if (path !== '/api/webs') return body
    const list = JSON.parse(body) as { data: object[] }
    return JSON.stringify({ ...list, data: [{ ...list.data[0], fqdn: 'a.test', customer: 'BERG' }] })
  }
  const skip = new Set(['uptime', 'users', 'external-domains', 'domains', 'emails'] as const)
  const { counts } = await importInProcess(url, target, { skip, overwrite: true })
  expect(counts.webs).toMatchObject({ changed: 1 })
  expect(await readDrift(web)).toMatchObject({ state: 'unknown', has_contract: false, differences: [] })
})

it.each([
  ['webs', webs],
  ['external_domains', externalDomains],
  ['own_domains', ownDomains],
  ['emails', emails],
] as const)('gives rows of %s the customer into which theirs is merged meanwhile', async (name, table) => {
  const target = await openTarget()
  const merging = await target.owner.pool.connect()
  await merging.query('begin')
  // As a merge does, which then changes the customers.
  await merging.query(`select from ${name} for update`)
  const imported = importInProcess(url, target, { skip: new Set(['uptime', 'users'] as const) })
  await expect.poll(target.waitingStatements, { timeout: 20_000 }).toHaveLength(1)
  await merging.query(`delete from customers where code = 'KÖGL'`)
  await merging.query(`insert into customers (code, spellings) values ('KÖGL UND SOHN', '{KÖGL}')`)
  await merging.query('commit')
  merging.release()
  await imported
  expect(await target.db.$count(table, eq(table.customer, 'KÖGL'))).toBe(0)
  expect(await target.db.$count(table, eq(table.customer, 'KÖGL UND SOHN'))).toBeGreaterThan(0)
  if (name === 'webs') expect(await target.db.$count(customers, eq(customers.code, 'KÖGL'))).toBe(0)
})

it('gives a web that appears twice in the list the uptime of the imported row only', async () => {
  const target = await openTarget()
  state.change = (path, body) => {
    if (path !== '/api/webs') return body
    const list = JSON.parse(body) as { data: { id: number; fqdn: string }[] }
    const [long, short] = list.data
    return JSON.stringify({ ...list, data: [short, { ...long, fqdn: short?.fqdn }] })
  }
  const skip = new Set(['users', 'external-domains', 'domains', 'emails'] as const)
  const { lines, counts } = await importInProcess(url, target, { skip })
  expect(lines).toContainEqual(expect.stringMatching(/appears twice in the list; only the first row/))
  expect(counts).toMatchObject({ webs: { added: 1 }, uptime: { added: 20, unchanged: 0 } })
  expect(await target.db.$count(uptimeDays)).toBe(20)
})

it('imports no uptime from before a web was created, unless something was measured', async () => {
  const target = await openTarget()
  const yesterday = dayAfter(dayOf(new Date()), -1)
  const created = dayAfter(yesterday, -99)
  const measured = dayAfter(yesterday, -150)
  state.change = (path, body) => {
    if (path === '/api/webs') {
      const list = JSON.parse(body) as { data: object[] }
      return JSON.stringify({ ...list, data: [{ ...list.data[0], created_at: `${created}T12:00:00Z` }] })
    }
    const { searchParams } = new URL(path, url)
    const [begin, end] = [searchParams.get('begin') ?? '', searchParams.get('end') ?? '']
    if (!path.includes('/uptime?')) return body
    // A row for each day that is asked for, whether it was monitored or not.
    const data = daysFrom(begin, end).map((date) => ({ date, downtime: date === measured ? 60 : 0 }))
    return JSON.stringify({ data })
  }
  const skip = new Set(['users', 'external-domains', 'domains', 'emails'] as const)
  const { counts } = await importInProcess(url, target, { skip })
  expect(counts.uptime).toMatchObject({ added: 101, problems: 0 })
  const days = await target.db.select({ day: uptimeDays.day }).from(uptimeDays).orderBy(uptimeDays.day)
  expect(days.slice(0, 2)).toEqual([{ day: measured }, { day: created }])
})

it('removes characters that reverse text from names', async () => {
  const target = await openTarget()
  state.change = (path, body) => {
    if (path !== '/api/webs') return body
    const list = JSON.parse(body) as { data: Record<string, unknown>[] }
    Object.assign(list.data[6] ?? {}, {
      node: 'one\u202e',
      categories: ['S\u202epa'],
      sites: ['a\u202e.test'],
      aliases: ['b\u2066.test'],
    })
    return JSON.stringify(list)
  }
  const skip = new Set(['uptime', 'users', 'external-domains', 'domains', 'emails'] as const)
  await importInProcess(url, target, { skip })
  const [web] = await target.db
    .select({ node: nodes.name, category: categories.name, sites: webs.sites, aliases: webs.aliases })
    .from(webs)
    .innerJoin(nodes, eq(nodes.id, webs.node_id))
    .innerJoin(webCategories, eq(webCategories.web_id, webs.id))
    .innerJoin(categories, eq(categories.id, webCategories.category_id))
    .where(eq(nodes.name, 'one'))
  expect(web).toEqual({
    node: 'one',
    category: 'Spa',
    sites: [{ fqdn: 'a.test' }],
    aliases: [{ fqdn: 'b.test' }],
  })
})

describe('a former system with malformed rows', async () => {
  const target = await openTarget()
  const rows = (body: string) => JSON.parse(body) as { data: Record<string, unknown>[] }

  it('skips each unreadable row and imports all others', async () => {
    state.change = (path, body) => {
      if (path === '/api/webs') {
        const list = rows(body)
        const corrupt = (index: number, values: object) => Object.assign(list.data[index] ?? {}, values)
        corrupt(0, { fqdn: 'not a host' })
        corrupt(1, { status: 'many' })
        corrupt(2, { configured_ip: null })
        corrupt(3, { comment: 'NUL \u0000' })
        corrupt(4, { comment: '\ud800', tracking_data: 7 })
        corrupt(5, { fqdn: 'web-6.test', id: 9 })
        // Formats of PHP and MySQL.
        corrupt(7, {
          id: '24',
          status: '0',
          monitoring_web_active: '1',
          disk_usage: '1024.0',
          categories: { 0: { id: 7, name: 'Hotel' } },
          sites: null,
          metadata: [],
          auftragnr_hosting: 'AB-1, AB-2',
          monitoring_web_reporting_channel: ['slack', 'mail'],
          cert_expiration: '2027-01-01 10:00:00',
          tracking_data: { fbadvancedmatching: 1, digiaccess: '2', gtm: [], cookies: 'yes' },
          created_at: 1_500_000_000,
          unheard_of: {},
        })
        corrupt(8, { node: 'lost-01', categories: ['New one'] })
        for (const index of [10, 11, 12]) corrupt(index, { node: 'lost-01', sysuser: 'shared' })
        list.data.push({}, { fqdn: 'web-9.test', customer: 'X', configured_ip: '192.0.2.1' })
        return JSON.stringify(list)
      }
      if (path === '/api/users') return body.replace('nobody@former.test', 'nobody at all')
      if (path === '/api/roles') return '<!doctype html><h1>Server Error</h1>'
      if (path === '/api/limitis/emails') return JSON.stringify(null)
      if (path === '/api/limitis/domains') return JSON.stringify({ data: 'none' })
      if (path.includes('uptime?web=25&')) {
        const { data } = JSON.parse(body) as { data: { date: string; downtime: number }[] }
        return JSON.stringify({ data: data.map(({ date, downtime }) => ({ date, downtime })) })
      }
      if (path.includes('uptime?web=24&')) return { status: 500, body: '' }
      return body
    }
    const { code, out } = await importFrom(url, target, ['--timeout', '5']).ended
    expect(code).toBe(1)
    expect(out.split('\n').filter((line) => line.startsWith('SKIPPED'))).toEqual([
      expect.stringMatching(/webs: müller-und-söhne\.test \(id 18\): status: /),
      expect.stringMatching(/webs: xn--strae-oqa\.test \(id 19\): configured_ip: /),
      expect.stringMatching(/webs: bare\.test \(id 20\): comment: Contains a character that can’t be stored/),
      expect.stringMatching(/webs: full\.test \(id 21\): comment: Contains a character/),
      expect.stringMatching(/webs: row 40: fqdn: /),
      expect.stringMatching(/webs: not a host \(id 17\): fqdn: Must be a valid host name/),
      'SKIPPED  webs: web-6.test appears twice in the list; only the first row was imported.',
      'SKIPPED  webs: web-9.test appears twice in the list; only the first row was imported.',
      'SKIPPED  roles: The former system returned an HTML page for /api/roles. The whole list was skipped.',
      expect.stringMatching(/users: nobody at all: email: E-Mail must be valid/),
      "SKIPPED  domains: The former system's own domains are not a list. The whole list was skipped.",
      'SKIPPED  uptime: web-6.test: The former system has no /api/monitoring/webs/uptime (404).',
      'SKIPPED  uptime: web-7.test: The former system reported a server error at /api/monitoring/webs/uptime (500).',
    ])
    expect(out).toContain(
      'note  nodes: lost-01 is not in the list of nodes, but webs use it, so it was added.',
    )
    for (const fqdn of ['web-11.test', 'web-12.test'])
      expect(out).toContain(
        `note  webs: ${fqdn}: imported without the system user shared, which web-10.test has on lost-01.`,
      )
    expect(out).toContain('note  roles: Mehrere: the former system does not list its permissions.')
    expect(out).toContain('note  webs: web-7.test: tracking data is unreadable (cookies)')
    const [php] = await target.db.select().from(webs).where(eq(webs.fqdn, 'web-7.test'))
    expect(php).toMatchObject({
      id: 24,
      disk_usage: 1024,
      sites: [],
      topics: [],
      auftragnr_hosting: ['AB-1', 'AB-2'],
      monitoring_web_reporting_channel: 'slack,mail',
      cert_expiration: new Date('2027-01-01T10:00:00Z'),
      created_at: new Date('2017-07-14T02:40:00Z'),
      tracking_data: { fbadvancedmatching: true, digiaccess: 2, gtm: null },
    })
    expect(await target.db.$count(users)).toBe(3)
    // Without its monitored time, a day counts as fully monitored.
    const end = dayAfter(dayOf(new Date()), -1)
    const days = await listUptime(createContext(target), { web: 25, begin: dayAfter(end, -159), end })
    expect(days).toHaveLength(160)
    expect(days.at(-1)).toMatchObject({ date: end, downtime: 0, unknown: 0, uptime: 100, checks: 0 })
    expect(days.at(-2)?.uptime).toBeCloseTo(99.96, 1)
  })

  it('is imported completely after it has been corrected', async () => {
    const { counts } = await importInProcess(url, target)
    expect(counts).toMatchObject({
      webs: { added: 6, changed: 0, problems: 0 },
      users: { added: 1, problems: 0 },
      domains: { added: 3 },
      emails: { added: 2 },
    })
  })
})
