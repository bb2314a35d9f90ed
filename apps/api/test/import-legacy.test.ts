import {
  customers,
  emails,
  externalDomains,
  logEntries,
  nodes,
  ownDomains,
  roles,
  rolledUpDays,
  statistics,
  uptimeDays,
  userRoles,
  users,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { dayAfter, dayOf, ensurePartition, packStatistics, spanOf } from '@kustos/domain/monitoring'
import { createContext } from '@kustos/domain/platform/context'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import {
  admin,
  fillLegacyDatabase,
  importFrom,
  importInProcess,
  readComparable,
  readRowVersions,
} from './legacy-system.ts'

const former = await testDatabase()
const formerOrigin = await listen(former)
await fillLegacyDatabase(former)

describe('an import into an empty database', async () => {
  const target = await testDatabase()
  const origin = await listen(target)
  const { db } = target
  let first: Awaited<ReturnType<typeof importFrom>['ended']>

  beforeAll(async () => {
    await createUser(target, admin, 'admin')
    first = await importFrom(formerOrigin, target).ended
  })

  it('imports everything, reports it and exits with 0', () => {
    expect(first).toMatchObject({ code: 0 })
    expect(first.out.split('\n')).toEqual([
      'nodes: 2 added, 0 changed, 0 unchanged, 0 different and kept, 0 skipped',
      'categories: 3 added, 0 changed, 0 unchanged, 0 different and kept, 0 skipped',
      'webs: 39 added, 0 changed, 0 unchanged, 0 different and kept, 0 skipped',
      'roles: 4 added, 0 changed, 1 unchanged, 0 different and kept, 0 skipped',
      'users: 3 added, 0 changed, 1 unchanged, 0 different and kept, 0 skipped',
      'external-domains: 2 added, 0 changed, 0 unchanged, 0 different and kept, 0 skipped',
      'domains: 3 added, 0 changed, 0 unchanged, 0 different and kept, 0 skipped',
      'emails: 2 added, 0 changed, 0 unchanged, 0 different and kept, 0 skipped',
      'uptime: 2320 added, 0 changed, 0 unchanged, 0 different and kept, 0 skipped',
      '',
    ])
  })

  it('makes both systems respond alike, with the former ids', async () => {
    const [expected, imported] = await Promise.all([
      readComparable(await signIn(formerOrigin, admin)),
      readComparable(await signIn(origin, admin)),
    ])
    // The admin and the role existed before the import.
    const ignoreTimes = <Row extends object>(row: Row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          /_at$/.test(key) && value ? expect.anything() : value,
        ]),
      )
    const mapExisting = (rows: unknown, is: (row: { email?: string; name?: string }) => boolean) =>
      (rows as { email?: string; name?: string }[]).map((row) => (is(row) ? ignoreTimes(row) : row))
    const users = mapExisting((expected.users as { data: unknown }).data, ({ email }) => email === admin)
    expect(imported).toEqual({
      ...expected,
      users: { data: users },
      roles: mapExisting(expected.roles, ({ name }) => name === 'admin'),
    })
    expect(imported.list.data[0]?.id).toBe(17)
  })

  it('logs for each web that it was imported', async () => {
    const entries = await db.select().from(logEntries).where(eq(logEntries.subject_id, 17))
    expect(entries).toMatchObject([
      {
        log_name: 'imports',
        description: 'imported',
        subject_type: 'web',
        causer_id: null,
        properties: { attributes: { fqdn: 'www.plain.test', former_id: 17, source: formerOrigin } },
      },
    ])
  })

  it('creates users who cannot sign in before they have a password', async () => {
    const client = new ApiClient(origin)
    expect((await client.signIn('hosting@former.test')).status).toBe(401)
    expect((await client.signIn('hosting@former.test', '')).status).toBe(422)
  })

  it('continues ids after the imported ones', async () => {
    const [row] = await db
      .insert(webs)
      .values({ fqdn: 'new.test', fqdn_ascii: 'new.test', customer: 'X', configured_ip: '192.0.2.1' })
      .returning({ id: webs.id })
    expect(row?.id).toBeGreaterThan(17 + 38)
    await db.delete(webs).where(eq(webs.fqdn, 'new.test'))
  })

  it('changes nothing when it is repeated', async () => {
    const before = await readRowVersions(target)
    const { lines, counts } = await importInProcess(formerOrigin, target)
    expect(lines).toEqual([])
    expect(Object.values(counts).map(({ added, changed }) => added + changed)).toEqual(Array(9).fill(0))
    expect(counts).toMatchObject({ webs: { unchanged: 39 }, uptime: { unchanged: 2320 } })
    expect(await readRowVersions(target)).toBe(before)
  })

  it('keeps and reports changes and deletions of staff, unless told to overwrite', async () => {
    const yesterday = dayAfter(dayOf(new Date()), -1)
    const day = and(eq(uptimeDays.web_id, 17), eq(uptimeDays.day, yesterday))
    await db.update(webs).set({ comment: 'Ours', customer: 'NEU' }).where(eq(webs.id, 17))
    await db.update(webs).set({ deleted_at: new Date() }).where(eq(webs.id, 20))
    await db.update(users).set({ name: 'Changed' }).where(eq(users.email, 'nobody@former.test'))
    await db.update(uptimeDays).set({ downtime: 1 }).where(day)
    const kept = await importInProcess(formerOrigin, target)
    expect(kept.lines).toEqual([
      'webs: www.plain.test differs here in customer, comment and stays unchanged.',
      'webs: bare.test was deleted here and stays deleted.',
      'users: nobody@former.test differs here in name and stays unchanged.',
    ])
    expect(kept.counts.webs).toMatchObject({ added: 0, changed: 0, unchanged: 37, differing: 2 })
    const overwritten = await importInProcess(formerOrigin, target, { overwrite: true })
    expect(overwritten.counts.webs).toMatchObject({ added: 0, changed: 1, unchanged: 37, differing: 1 })
    expect(await db.select().from(webs).where(eq(webs.id, 17))).toMatchObject([
      { comment: null, customer: 'KÖGL' },
    ])
    expect(await db.select().from(users).where(eq(users.name, 'Changed'))).toEqual([])
    expect(await db.select().from(uptimeDays).where(day)).toMatchObject([{ downtime: 1 }])
  }, 60_000)

  it('takes the current code of customers that were merged into another', async () => {
    const code = 'KÖGL GMBH'
    for (const table of [webs, externalDomains, ownDomains, emails])
      await db.update(table).set({ customer: code }).where(eq(table.customer, 'KÖGL'))
    await db.delete(customers).where(eq(customers.code, 'KÖGL'))
    await db
      .update(customers)
      .set({ spellings: ['KÖGL'] })
      .where(eq(customers.code, code))
    const { counts } = await importInProcess(formerOrigin, target, { overwrite: true })
    expect(counts).toMatchObject({ webs: { changed: 0 }, emails: { changed: 0 } })
    expect(await db.$count(customers, eq(customers.code, 'KÖGL'))).toBe(0)
  }, 60_000)
})

describe('an import into a database in use', async () => {
  const target = await testDatabase()
  const origin = await listen(target)
  const { db } = target
  const yesterday = dayAfter(dayOf(new Date()), -1)

  beforeAll(async () => {
    // These ids belong to other rows in the former system; one web and one user exist in both.
    await createUser(target, 'first@kustos.test', 'admin')
    await createUser(target, 'HOSTING@former.test', ['view logs'])
    await db.insert(nodes).values({ name: 'legacy-01', plesk_fqdn: 'legacy-01.host.test' })
    const web = { customer: 'OURS', configured_ip: '192.0.2.99' }
    await target.owner.db.execute(`alter table webs alter column id restart with 17`)
    await db.insert(webs).values([
      { ...web, fqdn: 'ours.test', fqdn_ascii: 'ours.test' },
      { ...web, fqdn: 'off.test', fqdn_ascii: 'off.test' },
    ])
    await ensurePartition(db, yesterday)
    const round = new Date(spanOf(yesterday).from + 3_600_000)
    await db
      .insert(statistics)
      .values({ web_id: 18, round_at: round, created_at: round, status: 200, outcome: 'up' })
    await db.insert(rolledUpDays).values({ day: yesterday, rolled_up_at: new Date() })
    const nextDay = new Date(spanOf(yesterday).to + 24 * 3_600_000)
    expect(await packStatistics(createContext(target, null, () => nextDay))).toEqual({ days: [yesterday] })
  })

  it('matches rows by name and assigns new ids where the former ones are taken', async () => {
    const { counts } = await importInProcess(formerOrigin, target)
    expect(counts.webs).toMatchObject({ added: 38, changed: 0, differing: 1, problems: 0 })
    const formerWebs = (await readComparable(await signIn(formerOrigin, admin))).list.data as {
      id: number
      fqdn: string
    }[]
    const currentWebs = (await readComparable(await signIn(origin, 'first@kustos.test'))).list
      .data as typeof formerWebs
    const idsByFqdn = new Map(currentWebs.map(({ id, fqdn }) => [fqdn, id]))
    const moved = formerWebs.filter(({ id, fqdn }) => idsByFqdn.get(fqdn) !== id).map(({ fqdn }) => fqdn)
    expect(moved).toEqual(['www.plain.test', 'müller-und-söhne.test', 'off.test'])
    expect(idsByFqdn.get('off.test')).toBe(18)
    expect(idsByFqdn.get('www.plain.test')).toBeGreaterThan(55)
    // Its uptime has the new id as well.
    expect(await db.$count(uptimeDays, eq(uptimeDays.web_id, idsByFqdn.get('www.plain.test') ?? 0))).toBe(
      1000,
    )
  })

  it('grants nothing to existing users', async () => {
    const [user] = await db.select().from(users).where(eq(users.email, 'HOSTING@former.test'))
    const current = await signIn(origin, 'hosting@former.test')
    expect(await current.json('/api/users/current')).toMatchObject({
      id: user?.id,
      permissions: ['view logs'],
    })
    expect((await db.select().from(roles)).map(({ name }) => name)).toContain('Mehrere')
    await importInProcess(formerOrigin, target, { overwrite: true })
    expect(await current.json('/api/users/current')).toMatchObject({ permissions: ['view logs'] })
  })

  it('takes a role whose name differs in case only for the same one, but none for that of administrators', async () => {
    const [several] = await db.select().from(roles).where(eq(roles.name, 'Mehrere'))
    await db.update(roles).set({ name: 'MEHRERE' }).where(eq(roles.name, 'Mehrere'))
    const [alike] = await former.db.insert(roles).values({ name: 'Admin' }).returning()
    const [held] = await former.db
      .select()
      .from(users)
      .where(sql`lower(${users.email}) = 'hosting@former.test'`)
    await former.db.insert(userRoles).values({ user_id: held?.id ?? 0, role_id: alike?.id ?? 0 })
    const names = async () => (await db.select().from(roles)).map(({ name }) => name).sort()
    const before = await names()
    const { lines } = await importInProcess(formerOrigin, target, { overwrite: true })
    expect(await names()).toEqual(before)
    expect(lines).toContain('roles: Admin: not imported, because its name is like that of admin.')
    expect(await db.select().from(roles).where(eq(roles.name, 'MEHRERE'))).toMatchObject([
      { id: several?.id },
    ])
    await former.db.delete(userRoles).where(eq(userRoles.role_id, alike?.id ?? 0))
    await former.db.delete(roles).where(eq(roles.name, 'Admin'))
    await db.update(roles).set({ name: 'Mehrere' }).where(eq(roles.name, 'MEHRERE'))
  })

  it('keeps days on which Kustos probed the web', async () => {
    const days = (await db.select().from(uptimeDays).where(eq(uptimeDays.web_id, 18))).map(({ day }) => day)
    expect(days).toHaveLength(99)
    expect(days).not.toContain(yesterday)
  })
})
