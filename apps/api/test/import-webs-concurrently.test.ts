import { categories, customers, logEntries, nodes, webCategories, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { mergeCustomers } from '@kustos/domain/customers'
import { importWebs } from '@kustos/domain/imports'
import { createContext } from '@kustos/domain/platform/context'
import { and, eq, inArray } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'

const database = await testDatabase()
const { db } = database
const importLines = (lines: string) =>
  importWebs(createContext(database), new TextEncoder().encode(`fqdn,customer,configured_ip\n${lines}`), {
    fileName: 'webs.csv',
    skipBad: false,
  })
const row = (fqdn: string, customer: string) => ({
  fqdn,
  fqdn_ascii: fqdn,
  customer,
  configured_ip: '192.0.2.1',
})
await db.insert(webs).values([row('edited.test', 'A'), row('changed.test', 'A')])

/** Runs an import during a transaction, which is committed once the import waits for it or has finished. */
async function runDuring<T>(
  statement: string,
  runImport: () => Promise<T>,
  commitWhen: 'waits' | 'finished',
): Promise<T> {
  const client = await database.owner.pool.connect()
  try {
    await client.query('begin')
    await client.query(statement)
    const running = runImport()
    if (commitWhen === 'finished') await running
    else
      await vi.waitFor(async () => {
        expect(await database.waitingStatements()).toHaveLength(1)
      }, 10_000)
    await client.query('commit')
    return await running
  } finally {
    client.release()
  }
}

it('neither blocks nor is blocked by edits of other webs', async () => {
  const report = await runDuring(
    `select from webs where fqdn = 'edited.test' for update`,
    () => importLines('changed.test,B,192.0.2.1\nnew.test,A,192.0.2.1\n'),
    'finished',
  )
  expect(report.lines).toMatchObject([{ outcome: 'changed' }, { outcome: 'added' }])
})

it('updates a web that another transaction added during the import', async () => {
  const report = await runDuring(
    `insert into webs (fqdn, fqdn_ascii, customer, configured_ip) values ('both.test', 'both.test', 'A', '192.0.2.1')`,
    () => importLines('first.test,A,192.0.2.1\nboth.test,B,192.0.2.1\n'),
    'waits',
  )
  expect(report.lines).toMatchObject([{ outcome: 'added' }, { outcome: 'changed' }])
  expect(await db.select().from(webs).where(eq(webs.fqdn, 'both.test'))).toMatchObject([{ customer: 'B' }])
  // The first attempt left no log entries.
  const created = and(eq(logEntries.log_name, 'webs'), eq(logEntries.description, 'created'))
  expect(await db.$count(logEntries, created)).toBe(2)
})

it('keeps concurrent changes of others and logs its own', async () => {
  await runDuring(
    `update webs set comment = 'seen', customer = 'C', updated_at = now() where fqdn = 'changed.test'`,
    () => importLines('changed.test,D,192.0.2.1\n'),
    'waits',
  )
  const [web] = await db.select().from(webs).where(eq(webs.fqdn, 'changed.test'))
  expect(web).toMatchObject({ customer: 'D', comment: 'seen' })
  const entries = await db
    .select()
    .from(logEntries)
    .where(and(eq(logEntries.subject_id, web?.id ?? 0), eq(logEntries.description, 'updated')))
    .orderBy(logEntries.id)
  expect(entries.at(-1)?.properties).toEqual({ attributes: { customer: 'D' }, old: { customer: 'C' } })
})

it('follows a merge of two of its customers that is waiting for them', async () => {
  // Their order by id is not that of their codes.
  await db.insert(customers).values([{ code: 'STAYS' }, { code: 'MERGED' }])
  const context = createContext(database)
  const client = await database.owner.pool.connect()
  try {
    await client.query('begin')
    await client.query(`select from customers where code = 'MERGED' for update`)
    const merged = mergeCustomers(context, { from: 'MERGED', into: 'STAYS' })
    await expect.poll(database.waitingStatements, { timeout: 10_000 }).toHaveLength(1)
    const report = importLines('m1.test,STAYS,192.0.2.1\nm2.test,MERGED,192.0.2.1\n')
    await expect.poll(database.waitingStatements, { timeout: 10_000 }).toHaveLength(2)
    await client.query('commit')
    await merged
    expect((await report).lines).toMatchObject([{ outcome: 'added' }, { outcome: 'added' }])
  } finally {
    client.release()
  }
  const rows = await db
    .select()
    .from(webs)
    .where(inArray(webs.fqdn, ['m1.test', 'm2.test']))
  expect(rows.map(({ customer }) => customer)).toEqual(['STAYS', 'STAYS'])
})

it('says that a node is gone which is deleted during the import', async () => {
  await db.insert(nodes).values({ name: 'bz-cloud-09', plesk_fqdn: 'bz-cloud-09.test' })
  const header = 'fqdn,customer,configured_ip,node\n'
  const report = await runDuring(
    `delete from nodes where name = 'bz-cloud-09'`,
    () =>
      importWebs(
        createContext(database),
        new TextEncoder().encode(`${header}gone.test,A,192.0.2.1,bz-cloud-09\n`),
        { fileName: 'webs.csv', skipBad: false },
      ),
    'waits',
  )
  expect(report).toMatchObject({
    isWritten: false,
    lines: [{ outcome: 'invalid', message: "node: There is no node 'bz-cloud-09'." }],
  })
})

it('replaces a category whose name is the names of others with a comma', async () => {
  const [joined] = await db
    .insert(categories)
    .values([{ name: 'Hotel,Restaurant' }, { name: 'Hotel' }, { name: 'Restaurant' }])
    .returning({ id: categories.id })
  const [web] = await db.insert(webs).values(row('lists.test', 'A')).returning({ id: webs.id })
  if (!joined || !web) throw new Error('Nothing was inserted')
  await db.insert(webCategories).values({ web_id: web.id, category_id: joined.id })
  const lines = 'fqdn,customer,configured_ip,categories\nlists.test,A,192.0.2.1,"Restaurant,Hotel"\n'
  await importWebs(createContext(database), new TextEncoder().encode(lines), {
    fileName: 'webs.csv',
    skipBad: false,
  })
  expect(await db.$count(webCategories, eq(webCategories.web_id, web.id))).toBe(2)
})
