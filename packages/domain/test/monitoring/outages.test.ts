import { attentionHandling, incidents, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { noteDomainMoved } from '../../src/monitoring/domain-moves.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, alerts, at } = await openRounds(database)

beforeEach(() =>
  database.owner.pool.query(
    'truncate webs, nodes, statistics, probe_rounds, probe_shards, attention_handling cascade',
  ),
)

async function insertNode(name: string, address: string | null = null) {
  const [node] = await db
    .insert(nodes)
    .values({ name, plesk_fqdn: `${name}.plesk.test`, address })
    .returning()
  return node?.id ?? 0
}
async function insertWebs(node_id: number, count: number) {
  const rows = Array.from({ length: count }, (_, index) =>
    monitoredWeb(`web${index}.node${node_id}.test`, { node_id }),
  )
  return (await db.insert(webs).values(rows).returning()).map(({ id }) => id)
}
async function round(time: string, seen: Readonly<Record<number, Seen>>) {
  await addRound(`2026-11-20T${time}Z`, seen)
  const later = new Date(Date.parse(`2026-11-20T${time}Z`) + 100_000).toISOString()
  return evaluateRound(at(later), alerts, settings)
}
const seenAs = (down: readonly number[], up: readonly number[]): Record<number, Seen> => ({
  ...Object.fromEntries(down.map((id) => [id, 'down' as const])),
  ...Object.fromEntries(up.map((id) => [id, 'up' as const])),
})
const listOutages = () =>
  db.select().from(incidents).where(isNull(incidents.web_id)).orderBy(asc(incidents.id))
const membersOf = async (outage: number | undefined) =>
  (await db.select().from(incidents).where(isNotNull(incidents.web_id)).orderBy(asc(incidents.web_id)))
    .filter((row) => row.outage_id === outage)
    .map((row) => row.web_id)

test('opens for three webs of a node that are half of it, takes in those that follow, and ends with the last', async () => {
  const node = await insertNode('n1')
  const all = await insertWebs(node, 6)
  const others = await insertWebs(await insertNode('n2'), 3)
  await round('10:00:00', seenAs(all.slice(0, 3), [...all.slice(3), ...others]))
  const [outage] = await listOutages()
  expect(outage).toMatchObject({
    node_id: node,
    ended_at: null,
    started_at: new Date('2026-11-20T10:00:00Z'),
  })
  expect(await membersOf(outage?.id)).toEqual(all.slice(0, 3))

  await round('10:01:00', seenAs(all.slice(0, 4), [...all.slice(4), ...others]))
  expect(await membersOf(outage?.id)).toEqual(all.slice(0, 4))
  expect(await listOutages()).toHaveLength(1)

  await round('10:02:00', seenAs(all.slice(3, 4), [...all.filter((id) => id !== all[3]), ...others]))
  expect(await listOutages()).toMatchObject([{ ended_at: null }])
  await round('10:03:00', seenAs([], [...all, ...others]))
  expect(await listOutages()).toMatchObject([{ ended_at: new Date('2026-11-20T10:03:00Z') }])
  await round('10:04:00', seenAs(all.slice(0, 1), [...all.slice(1), ...others]))
  expect(await membersOf(outage?.id)).toHaveLength(4)
})

test.each([
  ['two webs', 2, 1],
  ['less than half of a node', 3, 4],
])('does not open for %s', async (_, down, up) => {
  const all = await insertWebs(await insertNode('n1'), down + up)
  const others = await insertWebs(await insertNode('n2'), 2)
  await round('10:00:00', seenAs(all.slice(0, down), [...all.slice(down), ...others]))
  expect(await listOutages()).toEqual([])
})

test('ends with the last web also if none is monitored any more', async () => {
  const all = await insertWebs(await insertNode('n1'), 3)
  const others = await insertWebs(await insertNode('n2'), 1)
  await round('10:00:00', seenAs(all, others))
  await round('10:01:00', seenAs(all, others))
  await db.update(webs).set({ monitoring_web_active: false })
  await round('10:02:00', seenAs([], others))
  expect(await listOutages()).toMatchObject([{ ended_at: new Date('2026-11-20T10:02:00Z') }])
})

test('counts nodes that share an address as one', async () => {
  const one = await insertWebs(await insertNode('n1', '192.0.2.1'), 2)
  const two = await insertWebs(await insertNode('n2', '192.0.2.1'), 2)
  const others = await insertWebs(await insertNode('n3', ''), 3)
  await insertNode('n4', '')
  await round('10:00:00', seenAs([...one, ...two], others))
  const [outage] = await listOutages()
  expect(await membersOf(outage?.id)).toEqual([...one, ...two])
})

test('takes in webs that went down in the round before, and none that are down for longer', async () => {
  const all = await insertWebs(await insertNode('n1'), 6)
  const others = await insertWebs(await insertNode('n2'), 3)
  const [long = 0, before = 0, ...rest] = all
  await round('09:00:00', seenAs([long], [before, ...rest, ...others]))
  await round('10:00:00', seenAs([long, before], [...rest, ...others]))
  await round('10:01:00', seenAs(all, others))
  const [outage] = await listOutages()
  expect(await membersOf(outage?.id)).toEqual([before, ...rest])
})

/** Assigns all open incidents to Ada, who acknowledges them. */
async function acknowledge(time: string) {
  await database.owner.pool.query(
    `insert into users (name, email, password_hash) values ('Ada', 'ada@kustos.test', 'x') on conflict do nothing`,
  )
  const { rows } = await database.owner.pool.query<{ id: number }>('select id from users limit 1')
  const user = rows[0]?.id ?? 0
  const now = new Date(`2026-11-20T${time}Z`)
  const handled = {
    kind: 'web_down',
    action: 'assigned',
    updated_by: user,
    updated_at: now,
    assigned_to: user,
    acknowledged_by: user,
    acknowledged_at: now,
    note: 'Rebooting',
  }
  const open = await db
    .select()
    .from(incidents)
    .where(and(isNotNull(incidents.web_id), isNull(incidents.ended_at)))
  await db
    .insert(attentionHandling)
    .values(open.map(({ web_id, started_at: since }) => ({ ...handled, subject_id: web_id ?? 0, since })))
  return { assigned_to: user, acknowledged_by: user, acknowledged_at: now, note: 'Rebooting' }
}
const handlingOf = async (web: number | undefined) =>
  (await db.select().from(attentionHandling)).filter((row) => row.subject_id === web)

test('hands on to a web that joins who has acknowledged the others and has them', async () => {
  const all = await insertWebs(await insertNode('n1'), 6)
  await round('10:00:00', seenAs(all.slice(0, 3), all.slice(3)))
  const acknowledged = await acknowledge('10:00:50')
  await round('10:01:00', seenAs(all.slice(0, 4), all.slice(4)))
  expect(await handlingOf(all[3])).toMatchObject([acknowledged])
})

test('is snoozed for a web that joins if all others are', async () => {
  const all = await insertWebs(await insertNode('n1'), 6)
  await round('10:00:00', seenAs(all.slice(0, 3), all.slice(3)))
  const { acknowledged_by: snoozed_by } = await acknowledge('10:00:50')
  const snooze = { acknowledged_at: null, acknowledged_by: null, snoozed_by }
  await db.update(attentionHandling).set({ ...snooze, snoozed_until: new Date('2026-11-20T12:00:00Z') })
  await round('10:01:00', seenAs(all.slice(0, 4), all.slice(4)))
  const joined = { ...snooze, action: 'snoozed', snoozed_until: new Date('2026-11-20T12:00:00Z') }
  expect(await handlingOf(all[3])).toMatchObject([joined])
  await db.update(attentionHandling).set({ snoozed_until: new Date('2026-11-20T10:01:30Z') })
  await round('10:02:00', seenAs(all.slice(0, 5), all.slice(5)))
  expect(await handlingOf(all[4])).toMatchObject([{ ...snooze, action: 'assigned', snoozed_by: null }])
})

describe('an outage of which one web stays down', () => {
  let all: number[] = []
  let elsewhere: number[] = []
  const seen = (...down: number[]) =>
    seenAs(
      down,
      [...all, ...elsewhere].filter((id) => !down.includes(id)),
    )
  beforeEach(async () => {
    all = await insertWebs(await insertNode('n1'), 8)
    elsewhere = await insertWebs(await insertNode('n2'), 2)
    await round('10:00:00', seen(...all.slice(0, 5)))
    await round('10:01:00', seen(...all.slice(0, 1)))
    await acknowledge('10:01:50')
  })

  test('takes in none that fails there long after, nor is that one acknowledged', async () => {
    const [dead = 0, , , , , later = 0] = all
    await round('10:20:00', seen(dead, later))
    await round('10:21:00', seen(dead, later))
    const [outage] = await listOutages()
    expect(await membersOf(outage?.id)).toEqual(all.slice(0, 5))
    expect(await db.select().from(incidents).where(eq(incidents.web_id, later))).toMatchObject([
      { outage_id: null, ended_at: null },
    ])
    expect(await handlingOf(later)).toEqual([])
  })

  test('is not that in which the whole node fails long after', async () => {
    await round('10:20:00', seen(...all))
    const [first, second, ...more] = await listOutages()
    expect(more).toEqual([])
    expect(first).toMatchObject({ ended_at: null })
    expect(second).toMatchObject({ started_at: new Date('2026-11-20T10:20:00Z'), ended_at: null })
    expect(await membersOf(second?.id)).toEqual(all.slice(1))
    expect(await handlingOf(all[1])).toEqual([])
  })
})

test('takes in webs long after its beginning while it is most of the node', async () => {
  const all = await insertWebs(await insertNode('n1'), 6)
  await round('10:00:00', seenAs(all.slice(0, 3), all.slice(3)))
  await round('10:20:00', seenAs(all.slice(0, 4), all.slice(4)))
  const [outage] = await listOutages()
  expect(await membersOf(outage?.id)).toEqual(all.slice(0, 4))
})

test('has no web whose domain moves away', async () => {
  const all = await insertWebs(await insertNode('n1'), 6)
  const [moved = 0] = all
  await round('10:00:00', seenAs(all.slice(0, 4), all.slice(4)))
  await db.update(webs).set({ domain_status: 2 }).where(eq(webs.id, moved))
  await noteDomainMoved(db, moved, {
    at: new Date('2026-11-20T10:00:50Z'),
    from: '192.0.2.7',
    to: '203.0.113.9',
  })
  await round('10:01:00', seenAs(all.slice(1, 4), all.slice(4)))
  expect(await db.select().from(incidents).where(eq(incidents.kind, 'moved'))).toMatchObject([
    { web_id: moved, outage_id: null, ended_at: null },
  ])
  await round('10:02:00', seenAs([], all.slice(1)))
  expect(await listOutages()).toMatchObject([{ ended_at: new Date('2026-11-20T10:02:00Z') }])
})
