import { openQueues } from '@kustos/clients/queue'
import { queues } from '@kustos/contract/queue'
import { deployments, inspections, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { requestInspection, scheduleRefreshes } from '../src/inspections/index.ts'
import { createContext } from '../src/platform/context.ts'

const database = await testDatabase()
const { db } = database
const open = await openQueues({ databaseUrl: database.url, onError: () => undefined }, queues)
afterAll(() => open.close())
const tools = { queues: open, onError: (error: Error) => expect.fail(error.message) }
const made = await db
  .insert(nodes)
  .values(['a', 'b'].map((name) => ({ name, plesk_fqdn: `${name}.test` })))
  .returning({ id: nodes.id })
const [a = 0, b = 0] = made.map(({ id }) => id)

let clock = 0
const at = (time: string) => {
  clock = Date.parse(time)
}
const context = createContext(database, null, () => new Date(clock))
const look = () => scheduleRefreshes(context, tools)
const asked = async () => {
  const rows = await db.select().from(inspections).orderBy(asc(inspections.id))
  return rows.filter(({ kind }) => kind === 'refresh').map(({ web_id }) => web_id)
}
/** All that were asked for are done. */
const done = () => db.update(inspections).set({ state: 'partial', ended_at: new Date(clock) })

async function addWebs(count: number, more: Partial<typeof webs.$inferInsert> = {}): Promise<number[]> {
  const rows = Array.from({ length: count }, (_, index) => {
    const fqdn = `w${index}-${more.node_id ?? 'x'}.test`
    return {
      fqdn,
      fqdn_ascii: fqdn,
      customer: 'ALPEN',
      configured_ip: '192.0.2.7',
      created_at: new Date(0),
      ...more,
    }
  })
  return (await db.insert(webs).values(rows).returning({ id: webs.id })).map(({ id }) => id)
}

beforeEach(async () => {
  for (const { id } of await db.select().from(inspections))
    await open.remove('inspection', `inspection-${id}`)
  await db.delete(inspections)
  await db.delete(webs)
})

test.each([
  ['2026-11-20T23:59:59Z', null],
  ['2026-11-21T00:00:00Z', { requested: 1 }],
  ['2026-11-21T03:59:59Z', { requested: 1 }],
  ['2026-11-21T04:00:00Z', null],
  ['2026-07-01T22:59:59Z', null],
  ['2026-07-01T23:00:00Z', { requested: 1 }],
  ['2026-07-02T02:59:59Z', { requested: 1 }],
  ['2026-07-02T03:00:00Z', null],
])('requests refreshes at %s: %o', async (time, outcome) => {
  await addWebs(1)
  at(time)
  expect(await look()).toEqual(outcome)
})

test('refreshes every active web once a night, node by node', async () => {
  const onB = await addWebs(2, { node_id: b })
  const onNone = await addWebs(1, { status: 16 })
  const onA = await addWebs(2, { node_id: a })
  const [gone = 0] = await addWebs(1, { fqdn_ascii: 'gone.test', fqdn: 'gone.test' })
  await db.update(webs).set({ deleted_at: new Date() }).where(eq(webs.id, gone))
  at('2026-11-21T00:10:00Z')
  for (let looks = 0; looks < 8; looks++) {
    await look()
    clock += 60_000
    await done()
  }
  expect(await asked()).toEqual([...onA, ...onB, ...onNone])
  expect(await look()).toBeNull()
  clock += 24 * 3_600_000
  expect(await look()).toEqual({ requested: 1 })
  expect((await asked()).at(-1)).toBe(onA[0])
})

test('spreads many over the night without duplicates from other workers', async () => {
  const all = await addWebs(230, { node_id: a })
  at('2026-11-21T00:00:00Z')
  expect(await Promise.all([look(), look(), look()])).toEqual([
    { requested: 2 },
    { requested: 2 },
    { requested: 2 },
  ])
  expect(await asked()).toEqual(all.slice(0, 6))
  let looks = 3
  while ((await look()) !== null) looks += 1
  expect(looks).toBe(115)
  expect(await asked()).toEqual(all)
})

test('skips webs that staff refreshed tonight or are refreshing', async () => {
  const [first = 0, second = 0] = await addWebs(2)
  at('2026-11-20T23:50:00Z')
  await requestInspection(context, tools, 'refresh', first)
  at('2026-11-21T00:30:00Z')
  await requestInspection(context, tools, 'refresh', second)
  expect(await look()).toBeNull()
  expect(await asked()).toEqual([first, second])
  await done()
  expect(await look()).toEqual({ requested: 1 })
  expect(await asked()).toEqual([first, second, first])
})

test('refreshes new webs once during the day', async () => {
  at('2026-11-20T10:00:00Z')
  const fresh = { created_at: new Date(clock - 3_600_000), status: 0 }
  const [first] = await addWebs(1, { ...fresh, fqdn_ascii: 'neu.test', fqdn: 'neu.test' })
  const [added] = await addWebs(1, {
    ...fresh,
    fqdn_ascii: 'von-hand.test',
    fqdn: 'von-hand.test',
    status: null,
  })
  for (const [fqdn, more] of [
    ['bekannt.test', { domain_status: 1 }],
    ['alt.test', { created_at: new Date(clock - 30 * 3_600_000) }],
    ['weg.test', { deleted_at: new Date(clock) }],
  ] as const)
    await addWebs(1, { ...fresh, fqdn_ascii: fqdn, fqdn, ...more })
  const [made = 0] = await addWebs(1, {
    ...fresh,
    fqdn_ascii: 'in-arbeit.test',
    fqdn: 'in-arbeit.test',
    status: null,
  })
  await db.insert(deployments).values({
    kind: 'newWeb',
    web_id: made,
    fqdn: 'in-arbeit.test',
    state: 'failed',
    created_at: new Date(clock),
    updated_at: new Date(clock),
  })
  while ((await look()) !== null) await done()
  expect(await asked()).toEqual([first, added])
  await done()
  // Name servers may not have told its status: the night tries again.
  expect(await look()).toBeNull()
})
