import { openQueues } from '@kustos/clients/queue'
import { queues } from '@kustos/contract/queue'
import {
  deployments,
  dnsRecordSets,
  domainMoves,
  inspections,
  nodes,
  watchedDomains,
  webFacts,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { requestInspection, scheduleRefreshes } from '../src/inspections/index.ts'
import { createContext } from '../src/platform/context.ts'
import { editWeb } from '../src/webs/index.ts'

const database = await testDatabase()
const { db } = database
const open = await openQueues({ databaseUrl: database.url, onError: () => undefined }, queues)
afterAll(() => open.close())
const tools = { queues: open, onError: (error: Error) => expect.fail(error.message) }
const nodeRows = await db
  .insert(nodes)
  .values(['a', 'b'].map((name) => ({ name, plesk_fqdn: `${name}.test` })))
  .returning({ id: nodes.id })
const [a = 0, b = 0] = nodeRows.map(({ id }) => id)

let clock = 0
const setClock = (time: string) => {
  clock = Date.parse(time)
}
const context = createContext(database, null, () => new Date(clock))
const schedule = () => scheduleRefreshes(context, tools)
const listRequestedWebs = async () => {
  const rows = await db.select().from(inspections).orderBy(asc(inspections.id))
  return rows.filter(({ kind }) => kind === 'refresh').map(({ web_id }) => web_id)
}
const finishAll = () => db.update(inspections).set({ state: 'partial', ended_at: new Date(clock) })

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
  ['of three hours', '2027-03-28T00:00:00Z', '2027-03-28T03:00:00Z'],
  ['of four hours', '2027-03-29T23:00:00Z', '2027-03-30T03:00:00Z'],
  ['of five hours', '2027-10-30T23:00:00Z', '2027-10-31T04:00:00Z'],
])(
  'refreshes every web in a night %s',
  async (_, from, to) => {
    const ids = await addWebs(440)
    const toolsWithoutQueue = { ...tools, queues: { ...open, addAll: () => Promise.resolve() } }
    for (clock = Date.parse(from); clock < Date.parse(to); clock += 60_000)
      await scheduleRefreshes(context, toolsWithoutQueue)
    expect((await listRequestedWebs()).length).toBe(ids.length)
  },
  60_000,
)

test('refreshes a monitored web every hour while its domain has moved away', async () => {
  setClock('2026-11-20T12:00:00Z')
  const [off = 0, moved = 0] = await addWebs(3, { domain_status: 2, status: 0 })
  await db.update(webs).set({ monitoring_web_active: false }).where(eq(webs.id, off))
  const move = { moved_at: new Date(clock), moved_from: '192.0.2.7' }
  await db.insert(domainMoves).values([moved, off].map((web_id) => ({ web_id, ...move })))
  expect(await schedule()).toEqual({ requested: 1 })
  expect(await listRequestedWebs()).toEqual([moved])
  await finishAll()
  setClock('2026-11-20T12:59:00Z')
  expect(await schedule()).toBeNull()
  setClock('2026-11-20T13:00:01Z')
  expect(await schedule()).toEqual({ requested: 1 })
})

test('refreshes a web whose address has changed at once, and before all others', async () => {
  const [other = 0, changed = 0] = await addWebs(2, { domain_status: 1 })
  setClock('2026-11-20T12:00:00Z')
  const name = 'w1-x.test'
  const [watched] = await db
    .insert(watchedDomains)
    .values({ name, domain: name, dns_due_at: new Date(clock) })
    .returning()
  const set = { watched_domain_id: watched?.id ?? 0, host: name, type: 'A' }
  const at = (minutesAgo: number) => new Date(clock - minutesAgo * 60_000)
  await db
    .insert(inspections)
    .values({ web_id: changed, kind: 'refresh', state: 'succeeded', created_at: at(30) })
  await db.insert(dnsRecordSets).values([
    { ...set, records: ['192.0.2.7'], first_seen_at: at(9_000), last_seen_at: at(60), is_current: false },
    { ...set, records: ['203.0.113.9'], first_seen_at: at(10) },
  ])
  expect(await schedule()).toEqual({ requested: 1 })
  expect((await listRequestedWebs()).at(-1)).toBe(changed)
  await finishAll()
  expect(await schedule()).toBeNull()
  // At night it comes first, too.
  await db.delete(inspections)
  setClock('2026-11-21T00:10:00Z')
  await schedule()
  expect(await listRequestedWebs()).toEqual([changed])
  await schedule()
  expect(await listRequestedWebs()).toEqual([changed, other])
})

test('refreshes a renamed web at once, and no web that was changed otherwise', async () => {
  setClock('2026-11-20T12:00:00Z')
  const [renamed = 0, changed = 0] = await addWebs(2, {
    node_id: a,
    domain_status: 2,
    updated_at: new Date(0),
  })
  const tried_at = new Date(clock - 3_600_000)
  await db
    .insert(webFacts)
    .values([renamed, changed].map((web_id) => ({ web_id, fact: 'dns', seen_at: tried_at, tried_at })))
  const web = { customer: 'ALPEN', configured_ip: '192.0.2.7' }
  await editWeb(context, renamed, { ...web, fqdn: 'right.test' })
  await editWeb(context, changed, { ...web, fqdn: `w1-${a}.test`, comment: 'Changed' })
  expect(await schedule()).toEqual({ requested: 1 })
  expect(await listRequestedWebs()).toEqual([renamed])
  await finishAll()
  expect(await schedule()).toBeNull()
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
  setClock(time)
  expect(await schedule()).toEqual(outcome)
})

test('refreshes every active web once a night, node by node', async () => {
  const onB = await addWebs(2, { node_id: b })
  const onNone = await addWebs(1, { status: 16 })
  const onA = await addWebs(2, { node_id: a })
  const [gone = 0] = await addWebs(1, { fqdn_ascii: 'gone.test', fqdn: 'gone.test' })
  await db.update(webs).set({ deleted_at: new Date() }).where(eq(webs.id, gone))
  setClock('2026-11-21T00:10:00Z')
  for (let runs = 0; runs < 8; runs++) {
    await schedule()
    clock += 60_000
    await finishAll()
  }
  expect(await listRequestedWebs()).toEqual([...onA, ...onB, ...onNone])
  expect(await schedule()).toBeNull()
  clock += 24 * 3_600_000
  expect(await schedule()).toEqual({ requested: 1 })
  expect((await listRequestedWebs()).at(-1)).toBe(onA[0])
})

test('spreads many over the night without duplicates from other workers', async () => {
  const all = await addWebs(230, { node_id: a })
  setClock('2026-11-21T00:00:00Z')
  expect(await Promise.all([schedule(), schedule(), schedule()])).toEqual([
    { requested: 2 },
    { requested: 2 },
    { requested: 2 },
  ])
  expect(await listRequestedWebs()).toEqual(all.slice(0, 6))
  let runs = 3
  while ((await schedule()) !== null) runs += 1
  expect(runs).toBe(115)
  expect(await listRequestedWebs()).toEqual(all)
})

test('skips webs that staff refreshed tonight or are refreshing', async () => {
  const [first = 0, second = 0] = await addWebs(2)
  setClock('2026-11-20T23:50:00Z')
  await requestInspection(context, tools, 'refresh', first)
  setClock('2026-11-21T00:30:00Z')
  await requestInspection(context, tools, 'refresh', second)
  expect(await schedule()).toBeNull()
  expect(await listRequestedWebs()).toEqual([first, second])
  await finishAll()
  expect(await schedule()).toEqual({ requested: 1 })
  expect(await listRequestedWebs()).toEqual([first, second, first])
})

test('refreshes new webs once during the day', async () => {
  setClock('2026-11-20T10:00:00Z')
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
  const [unfinished = 0] = await addWebs(1, {
    ...fresh,
    fqdn_ascii: 'in-arbeit.test',
    fqdn: 'in-arbeit.test',
    status: null,
  })
  await db.insert(deployments).values({
    kind: 'newWeb',
    web_id: unfinished,
    fqdn: 'in-arbeit.test',
    state: 'failed',
    created_at: new Date(clock),
    updated_at: new Date(clock),
  })
  while ((await schedule()) !== null) await finishAll()
  expect(await listRequestedWebs()).toEqual([first, added])
  await finishAll()
  // Name servers may not have returned a status, so the next night tries again.
  expect(await schedule()).toBeNull()
})
