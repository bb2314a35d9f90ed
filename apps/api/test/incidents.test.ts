import type { AttentionList } from '@kustos/contract/attention'
import type {
  IncidentComment,
  IncidentDetails,
  IncidentEntry,
  IncidentTimeline,
} from '@kustos/contract/incidents'
import {
  alertChannels,
  alerts,
  attentionHandling,
  deployments,
  incidents,
  logEntries,
  statistics,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { ensurePartition } from '@kustos/domain/monitoring'
import { desc, eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import { attentionFixtures, minutesAgo, start } from './attention-fixtures.ts'
import { invalidIds } from './invalid-values.ts'
import { readLastEntryOf } from './last-entry.ts'
import { codeOf } from './reverts-kit.ts'
import { seedRoles } from './seed-roles.ts'

const database = await testDatabase()
const { db } = database
const fixtures = attentionFixtures(database)
const origin = await listen(database, { now: () => start })
let ada = new ApiClient(origin)
let ben = new ApiClient(origin)
let benId = 0

beforeAll(async () => {
  await createUser(database, 'ada@kustos.test', 'admin')
  benId = await createUser(database, 'ben@kustos.test', ['view monitoring web statistic'])
  await createUser(database, 'webs@kustos.test', ['view webs'])
  ada = await signIn(origin, 'ada@kustos.test')
  ben = await signIn(origin, 'ben@kustos.test')
})
beforeEach(() => fixtures.insertRound(minutesAgo(1)))
afterEach(async () => {
  await database.owner.pool.query(
    'truncate webs, nodes, alerts, deployments, probe_rounds, statistics, attention_handling cascade',
  )
})

const base = '/api/monitoring/incidents'
const list = async (query = '', client = ada) =>
  (await client.json<{ data: IncidentEntry[] }>(`${base}/overview${query}`)).data
const read = (id: number, client = ada) => client.json<IncidentDetails>(`${base}/${id}`)
const timeline = (id: number, client = ada) => client.json<IncidentTimeline>(`${base}/${id}/timeline`)
const attention = (query = '') => ada.json<AttentionList>(`/api/attention${query}`)
const messageOf = async (response: Response) => ((await response.json()) as { message: string }).message
const lastEntry = async (id: number) => (await readLastEntryOf(db, 'incident', id)).id
const revert = (entry: number, client = ada) => client.send('POST', `/api/logs/${entry}/revert`)
const end = (id: number, ended_at = minutesAgo(1)) =>
  db.update(incidents).set({ ended_at }).where(eq(incidents.id, id))

async function insertOutage() {
  const node = await fixtures.insertNode('n1')
  const down = [
    await fixtures.insertDownWeb({ node_id: node, customer: 'ALPEN' }),
    await fixtures.insertDownWeb({ node_id: node, customer: 'BERG' }),
    await fixtures.insertDownWeb({ node_id: node, customer: 'ALPEN' }),
  ] as const
  const id = await fixtures.insertOutage(
    node,
    down.map(({ incident }) => incident),
  )
  return { id, down, members: down.map(({ incident }) => incident) }
}

describe('the list', () => {
  it('has open incidents first, oldest first, then ended ones, latest first', async () => {
    const late = await fixtures.insertDownWeb({}, minutesAgo(5))
    const early = await fixtures.insertDownWeb({}, minutesAgo(50))
    const before = await fixtures.insertDownWeb({}, minutesAgo(300))
    const last = await fixtures.insertDownWeb({}, minutesAgo(400))
    await end(before.incident, minutesAgo(200))
    await end(last.incident, minutesAgo(100))
    expect((await list()).map(({ id }) => id)).toEqual(
      [early, late, last, before].map(({ incident }) => incident),
    )
    expect((await list('?limit=1')).map(({ id }) => id)).toEqual([early.incident, last.incident])
    expect((await list('?open=1')).map(({ id }) => id)).toEqual([early.incident, late.incident])
    expect((await list(`?since=${minutesAgo(60).toISOString()}`)).map(({ id }) => id)).toEqual([
      early.incident,
      late.incident,
    ])
  })

  it('shows webs that went down together as one entry, and finds it by any of them', async () => {
    const { id, members } = await insertOutage()
    const alone = await fixtures.insertDownWeb()
    expect(await list()).toMatchObject([
      { id, web: null, node: 'n1', customers: ['ALPEN', 'BERG'], members: 3, open_members: 3 },
      { id: alone.incident, web: { id: alone.id, fqdn: alone.fqdn }, node: null, members: 1 },
    ])
    expect((await list('?customer=BERG')).map((entry) => entry.id)).toEqual([id])
    expect((await list('?node=n1')).map((entry) => entry.id)).toEqual([id])
    expect(await list('?node=n2')).toEqual([])
    const { data } = await ada.json<{ data: { id: number; outage_id: number | null }[] }>(base)
    expect(data.map((row) => [row.id, row.outage_id])).toEqual([
      [alone.incident, null],
      ...members.toReversed().map((member) => [member, id]),
    ])
    expect((await read(id)).entries.map((entry) => entry.id).sort()).toEqual(members)
    expect(await read(members[0] ?? 0)).toMatchObject({ outage: { id, node: 'n1' }, entries: [] })
  })

  it('filters by acknowledgement and assignee, as the list of incidents does', async () => {
    const mine = await fixtures.insertDownWeb()
    const other = await fixtures.insertDownWeb()
    await ada.send('PUT', `${base}/${mine.incident}/acknowledge`, {})
    await ada.send('PUT', `${base}/${mine.incident}/assign`, { user: benId })
    for (const path of [`${base}/overview`, base]) {
      const ids = async (query: string) =>
        (await ada.json<{ data: { id: number }[] }>(`${path}${query}`)).data.map(({ id }) => id)
      expect(await ids('?acknowledged=1')).toEqual([mine.incident])
      expect(await ids('?acknowledged=0')).toEqual([other.incident])
      expect(await ids(`?assignee=${benId}`)).toEqual([mine.incident])
      expect(await ids('?assignee=999')).toEqual([])
    }
  })

  it('finds an ended incident as acknowledged that was, as the list of incidents does, also after a later snooze', async () => {
    const { id, incident } = await fixtures.insertDownWeb()
    await ada.send('PUT', `${base}/${incident}/acknowledge`, {})
    const snoozed = { snoozed_until: minutesAgo(3) }
    await db.update(attentionHandling).set(snoozed).where(eq(attentionHandling.subject_id, id))
    for (const path of [`${base}/overview`, base]) {
      const count = async (query: string) => (await ada.json<{ data: [] }>(`${path}${query}`)).data.length
      expect([await count('?acknowledged=1'), await count('?acknowledged=0')]).toEqual([0, 1])
    }
    await end(incident)
    for (const path of [`${base}/overview`, base]) {
      const count = async (query: string) => (await ada.json<{ data: [] }>(`${path}${query}`)).data.length
      expect([await count('?acknowledged=1'), await count('?acknowledged=0')]).toEqual([1, 0])
    }
  })

  it.each(['?open=2', '?acknowledged=x', '?assignee=0', '?since=soon', '?limit=0'])(
    'rejects %s',
    async (query) => {
      expect((await ada.send('GET', `${base}/overview${query}`)).status).toBe(422)
    },
  )
})

describe('snoozing', () => {
  const until = minutesAgo(-60).toISOString()

  it('is one thing in the attention list and on the incident, for all webs of an outage', async () => {
    const { id, members } = await insertOutage()
    expect((await ada.send('PUT', `${base}/${id}/snooze`, { until, note: 'Provider' })).status).toBe(204)
    const snoozed_until = expect.stringMatching(/^2026-11-20T11:00:00/)
    const snoozed = { snoozed_until, snoozed_by: { email: 'ada@kustos.test' }, note: 'Provider' }
    expect(await read(id)).toMatchObject({ ...snoozed, acknowledged_at: null })
    expect((await attention('?state=snoozed')).data).toMatchObject(members.map(() => snoozed))
    expect((await ben.send('DELETE', `${base}/${members[0]}/snooze`)).status).toBe(204)
    expect(await read(id)).toMatchObject({ snoozed_until: null, snoozed_by: null })
    expect(await read(members[1] ?? 0)).toMatchObject(snoozed)
  })

  it('is refused for a time that has passed', async () => {
    const { incident } = await fixtures.insertDownWeb()
    const past = await ada.send('PUT', `${base}/${incident}/snooze`, { until: minutesAgo(1).toISOString() })
    expect([past.status, await past.json()]).toMatchObject([422, { errors: { until: [expect.any(String)] } }])
  })
})

describe('acknowledging', () => {
  it('is one thing in the attention list and on the incident', async () => {
    const web = await fixtures.insertDownWeb()
    const [entry] = (await attention()).data
    expect(entry?.incident_id).toBe(web.incident)
    expect((await ben.send('PUT', `${base}/${web.incident}/acknowledge`, { note: 'Mine' })).status).toBe(204)
    expect(await read(web.incident)).toMatchObject({
      acknowledged_by: { id: benId, email: 'ben@kustos.test' },
      note: 'Mine',
    })
    expect((await attention('?state=acknowledged')).data).toMatchObject([
      { id: entry?.id, acknowledged_by: { id: benId }, note: 'Mine' },
    ])
    await ada.send('DELETE', `/api/attention/${entry?.id}/acknowledge`)
    expect(await read(web.incident)).toMatchObject({ acknowledged_at: null, acknowledged_by: null })
  })

  it('tells the second of two who was first', async () => {
    const { incident } = await fixtures.insertDownWeb()
    const before = await db.$count(logEntries)
    const responses = await Promise.all(
      [ada, ben].map((client) => client.send('PUT', `${base}/${incident}/acknowledge`, {})),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
    const refused = responses.find(({ status }) => status === 409)
    expect(refused && (await messageOf(refused))).toMatch(/@kustos\.test acknowledged this at/)
    expect(await db.$count(logEntries)).toBe(before + 1)
  })

  it('of an outage holds for its open members', async () => {
    const { id, members } = await insertOutage()
    await end(members[0] ?? 0)
    await ben.send('PUT', `${base}/${members[1]}/acknowledge`, {})
    expect(await read(id)).toMatchObject({ acknowledged_at: null, open_members: 2 })
    expect((await ada.send('PUT', `${base}/${id}/acknowledge`, {})).status).toBe(204)
    expect((await read(id)).acknowledged_at).not.toBeNull()
    expect((await attention('?state=acknowledged')).data).toHaveLength(2)
    expect((await ben.send('PUT', `${base}/${id}/acknowledge`, {})).status).toBe(409)
    expect((await ada.send('PUT', `${base}/${id}/assign`, { user: benId })).status).toBe(204)
    expect(await read(id)).toMatchObject({ assigned_to: { id: benId } })
    expect((await ada.send('DELETE', `${base}/${id}/assign`)).status).toBe(204)
    expect((await ada.send('DELETE', `${base}/${id}/acknowledge`)).status).toBe(204)
    expect(await read(id)).toMatchObject({ assigned_to: null, acknowledged_at: null })
  })

  it('of an outage holds for all of its open members, however many there are', async () => {
    const { id, members } = await insertOutage()
    const names = Array.from({ length: 1_000 }, (_, index) => `many${index}.test`)
    const row = { customer: 'ALPEN', configured_ip: '192.0.2.7', status: 0, domain_status: 1 }
    const added = await db
      .insert(webs)
      .values(names.map((fqdn) => ({ ...row, fqdn, fqdn_ascii: fqdn })))
      .returning({ web_id: webs.id })
    const times = { started_at: minutesAgo(7), last_failed_at: minutesAgo(1), watched_until: start }
    await db
      .insert(incidents)
      .values(added.map(({ web_id }) => ({ web_id, outage_id: id, ...times, reason: 'timed out' })))
    expect((await ada.send('PUT', `${base}/${id}/acknowledge`, {})).status).toBe(204)
    expect((await ada.send('PUT', `${base}/${id}/assign`, { user: benId })).status).toBe(204)
    expect(await read(id)).toMatchObject({
      acknowledged_by: { email: 'ada@kustos.test' },
      assigned_to: { id: benId },
      open_members: members.length + names.length,
    })
  })

  it('of many incidents holds for those that are open, with a log entry for each, or for none of them', async () => {
    const { id, members } = await insertOutage()
    const mine = await fixtures.insertDownWeb()
    const theirs = await fixtures.insertDownWeb()
    const over = await fixtures.insertDownWeb()
    await end(over.incident)
    await ben.send('PUT', `${base}/${theirs.incident}/acknowledge`, {})
    const many = (ids: readonly number[], client = ada) => client.send('PUT', `${base}/acknowledge`, { ids })
    const countEntries = () => db.$count(logEntries, eq(logEntries.log_name, 'attention'))
    const before = await countEntries()
    const ids = [theirs, over, mine].map(({ incident }) => incident)

    expect((await many([...ids, 999_999])).status).toBe(404)
    await db.update(webs).set({ deleted_at: start }).where(eq(webs.id, over.id))
    expect((await many(ids, ben)).status).toBe(404)
    await db.update(webs).set({ deleted_at: null }).where(eq(webs.id, over.id))
    expect((await many(ids, await signIn(origin, 'webs@kustos.test'))).status).toBe(403)
    for (const wrong of [[], Array.from({ length: 10_001 }, (_, index) => index + 1)])
      expect((await many(wrong)).status).toBe(422)
    expect(await countEntries()).toBe(before)

    expect((await many([...ids, id, members[0] ?? 0])).status).toBe(204)
    expect(await countEntries()).toBe(before + 1 + members.length)
    const acknowledgers = Object.fromEntries(
      (await list()).map((entry) => [entry.id, entry.acknowledged_by?.email]),
    )
    expect(acknowledgers).toEqual({
      [id]: 'ada@kustos.test',
      [mine.incident]: 'ada@kustos.test',
      [theirs.incident]: 'ben@kustos.test',
      [over.incident]: undefined,
    })
    const refused = await many(ids, ben)
    expect([refused.status, await messageOf(refused)]).toEqual([409, expect.stringMatching(/^ada@kustos/)])
  })

  it('of many incidents can be undone together, without those that others or the user acknowledged before', async () => {
    const [before, one, two, theirs] = [
      await fixtures.insertDownWeb(),
      await fixtures.insertDownWeb(),
      await fixtures.insertDownWeb(),
      await fixtures.insertDownWeb(),
    ].map(({ incident }) => incident)
    const ids = [before, one, two, theirs]
    await ada.send('PUT', `${base}/${before}/acknowledge`, {})
    await db.update(attentionHandling).set({ acknowledged_at: new Date(start.getTime() - 60_000) })
    await ben.send('PUT', `${base}/${theirs}/acknowledge`, {})
    await ada.send('PUT', `${base}/acknowledge`, { ids })
    expect((await ada.send('PUT', `${base}/undo-acknowledge`, { ids })).status).toBe(204)
    const acknowledged = (await list()).filter(({ acknowledged_at }) => acknowledged_at !== null)
    expect(acknowledged.map(({ id }) => id).sort()).toEqual([before, theirs].sort())
    expect((await ben.send('PUT', `${base}/undo-acknowledge`, { ids: [one] })).status).toBe(204)
    expect((await ada.send('PUT', `${base}/undo-acknowledge`, { ids: [999_999] })).status).toBe(404)
  })

  it('is refused once the incident has ended', async () => {
    const { incident } = await fixtures.insertDownWeb()
    await end(incident)
    for (const [method, what, body] of [
      ['PUT', 'acknowledge', {}],
      ['DELETE', 'acknowledge', undefined],
      ['PUT', 'assign', { user: benId }],
      ['DELETE', 'assign', undefined],
      ['PUT', 'snooze', { until: minutesAgo(-60).toISOString() }],
      ['DELETE', 'snooze', undefined],
    ] as const)
      expect((await ada.send(method, `${base}/${incident}/${what}`, body)).status).toBe(409)
  })

  it('assigns only users who may see incidents', async () => {
    const { incident } = await fixtures.insertDownWeb()
    const [{ id: other } = { id: 0 }] = (
      await database.owner.pool.query<{ id: number }>(`select id from users where email = 'webs@kustos.test'`)
    ).rows
    for (const user of [other, 999_999]) {
      const response = await ada.send('PUT', `${base}/${incident}/assign`, { user })
      expect(response.status).toBe(422)
      expect(((await response.json()) as { errors: object }).errors).toHaveProperty('user')
    }
    expect(await read(incident)).toMatchObject({ assigned_to: null })
  })
})

describe('comments and post-mortem', () => {
  it('are written also after the end, and those on an outage are on its members', async () => {
    const { id, members } = await insertOutage()
    const [member = 0] = members
    await end(member)
    expect((await ben.send('POST', `${base}/${id}/comments`, { text: 'Node is rebooting' })).status).toBe(201)
    expect((await ben.send('POST', `${base}/${member}/comments`, { text: ' Up ' })).status).toBe(201)
    const { data } = await ada.json<{ data: IncidentComment[] }>(`${base}/${member}/comments`)
    expect(data).toMatchObject([
      { incident_id: id, text: 'Node is rebooting', created_by: { email: 'ben@kustos.test' } },
      { incident_id: member, text: 'Up', created_at: start.toISOString() },
    ])
    expect(await read(id)).toMatchObject({ comments: 1 })
    expect((await ada.send('POST', `${base}/${id}/comments`, { text: ' ' })).status).toBe(422)
    expect((await ada.send('POST', `${base}/${id}/comments`, { text: 'x'.repeat(10_001) })).status).toBe(422)
  })

  it('tells the second of two editors, and keeps the first text', async () => {
    const { incident } = await fixtures.insertDownWeb()
    const write = (text: string, updated_at?: string | null, client = ada) =>
      client.send('PUT', `${base}/${incident}/post-mortem`, { text, updated_at })
    expect((await write('The disk was full.', null)).status).toBe(204)
    const first = (await read(incident)).post_mortem
    expect(first).toMatchObject({ text: 'The disk was full.', updated_by: { email: 'ada@kustos.test' } })
    const second = await write('Unknown', null)
    expect(second.status).toBe(409)
    expect(await messageOf(second)).toMatch(/^ada@kustos\.test changed this post-mortem at/)
    expect((await write('The disk was full again.', first?.updated_at)).status).toBe(204)
    expect((await write('Late', first?.updated_at)).status).toBe(409)
    expect((await read(incident)).post_mortem?.text).toBe('The disk was full again.')
    expect((await write('x', undefined, ben)).status).toBe(403)
    expect((await write('x'.repeat(50_001))).status).toBe(422)
  })

  it('give the post-mortem its text back, unless it has changed since', async () => {
    const { incident } = await fixtures.insertDownWeb()
    const write = async (text: string) => {
      expect((await ada.send('PUT', `${base}/${incident}/post-mortem`, { text })).status).toBe(204)
      return lastEntry(incident)
    }
    const first = await write('The disk was full.')
    const second = await write('Unknown')
    expect(await codeOf(await revert(first))).toEqual([409, 'change_outdated'])
    expect((await revert(second, ben)).status).toBe(403)
    expect((await revert(second)).status).toBe(204)
    expect((await read(incident)).post_mortem?.text).toBe('The disk was full.')
    expect(await codeOf(await revert(second))).toEqual([409, 'change_outdated'])
    const { incident: other } = await fixtures.insertDownWeb()
    await ada.send('PUT', `${base}/${other}/post-mortem`, { text: 'Draft' })
    expect((await revert(await lastEntry(other))).status).toBe(204)
    expect((await read(other)).post_mortem?.text).toBe('')
  })
})

describe('the deployment that preceded it', () => {
  async function insertDeployment(web_id: number, started_at: Date, ended_at: Date | null) {
    const row = { kind: 'updateWeb', fqdn: 'a.test', web_id, started_at, ended_at }
    const times = { created_at: started_at, updated_at: started_at }
    const state = ended_at === null ? { state: 'waiting' } : { state: 'succeeded' }
    const [inserted] = await db
      .insert(deployments)
      .values({ ...row, ...times, ...state })
      .returning()
    return inserted?.id ?? 0
  }

  it('is found, and can be linked and unlinked', async () => {
    const web = await fixtures.insertDownWeb({}, minutesAgo(60))
    const old = await insertDeployment(web.id, minutesAgo(200), minutesAgo(190))
    await insertDeployment(web.id, minutesAgo(50), minutesAgo(40))
    expect(await read(web.incident)).toMatchObject({ deployment: null, is_deployment_chosen: false })
    const found = await insertDeployment(web.id, minutesAgo(80), minutesAgo(70))
    expect((await read(web.incident)).deployment?.id).toBe(found)
    expect((await read(web.incident, ben)).deployment).toBeNull()
    // It was retried afterwards.
    const retried = { attempts: 2, started_at: minutesAgo(20), ended_at: minutesAgo(10) }
    await db.update(deployments).set(retried).where(eq(deployments.id, found))
    expect((await read(web.incident)).deployment?.id).toBe(found)
    const link = (deployment: number | null) =>
      ada.send('PUT', `${base}/${web.incident}/deployment`, { deployment })
    expect((await link(old)).status).toBe(204)
    expect(await read(web.incident)).toMatchObject({ deployment: { id: old }, is_deployment_chosen: true })
    expect((await link(null)).status).toBe(204)
    expect(await read(web.incident)).toMatchObject({ deployment: null, is_deployment_chosen: true })
    expect((await ada.send('DELETE', `${base}/${web.incident}/deployment`)).status).toBe(204)
    expect((await read(web.incident)).deployment?.id).toBe(found)
    const other = await fixtures.insertWeb()
    expect((await link(await insertDeployment(other.id, minutesAgo(80), minutesAgo(70)))).status).toBe(422)
    expect((await link(999_999)).status).toBe(422)
  })

  it('is the previous one again after a revert, unless it was chosen again since', async () => {
    const web = await fixtures.insertDownWeb({}, minutesAgo(60))
    const found = await insertDeployment(web.id, minutesAgo(80), minutesAgo(70))
    const old = await insertDeployment(web.id, minutesAgo(200), minutesAgo(190))
    const choose = async (deployment: number | null) => {
      const response = await ada.send('PUT', `${base}/${web.incident}/deployment`, { deployment })
      expect(response.status).toBe(204)
      return lastEntry(web.incident)
    }
    const linked = await choose(old)
    const unlinked = await choose(null)
    expect(await codeOf(await revert(linked))).toEqual([409, 'change_outdated'])
    expect((await revert(unlinked)).status).toBe(204)
    expect(await read(web.incident)).toMatchObject({ deployment: { id: old }, is_deployment_chosen: true })
    await ada.send('DELETE', `${base}/${web.incident}/deployment`)
    expect((await revert(await lastEntry(web.incident))).status).toBe(204)
    expect(await read(web.incident)).toMatchObject({ deployment: { id: old }, is_deployment_chosen: true })
    await ada.send('DELETE', `${base}/${web.incident}/deployment`)
    // Chosen while none was: it is found again.
    const chosen = await choose(null)
    expect((await revert(chosen, ben)).status).toBe(403)
    expect((await revert(chosen)).status).toBe(204)
    expect(await read(web.incident)).toMatchObject({ deployment: { id: found }, is_deployment_chosen: false })
  })
})

describe('the timeline', () => {
  it('has probes, alerts, deployments and changes in order, as far as the user may see them', async () => {
    const web = await fixtures.insertDownWeb({}, minutesAgo(7))
    await ensurePartition(db, '2026-11-20')
    await db.insert(statistics).values(
      [
        [9, 'up'],
        [8, 'up'],
        [7, 'down'],
        [6, 'down'],
        [5, 'down'],
        [4, 'down'],
        [2, 'up'],
        [1, 'up'],
      ].map(([minutes, outcome]) => ({
        web_id: web.id,
        round_at: minutesAgo(Number(minutes)),
        created_at: minutesAgo(Number(minutes)),
        outcome: String(outcome),
        status: outcome === 'up' ? 200 : 503,
      })),
    )
    await end(web.incident, minutesAgo(2))
    const alert = { content: { title: 'web is down', lines: [] }, incidents: [web.incident] }
    await db.insert(alerts).values([
      { ...alert, channel: 'mail', recipient: 'a@x.test', created_at: minutesAgo(6), sent_at: minutesAgo(6) },
      { ...alert, channel: 'mail', recipient: 'b@x.test', created_at: minutesAgo(6), sent_at: minutesAgo(6) },
      { ...alert, channel: 'slack', created_at: minutesAgo(6), incidents: [999] },
    ])
    await db.insert(deployments).values({
      kind: 'updateWeb',
      state: 'succeeded',
      fqdn: web.fqdn,
      web_id: web.id,
      created_at: minutesAgo(20),
      updated_at: minutesAgo(20),
    })
    await ada.send('POST', `${base}/${web.incident}/comments`, { text: 'Seen' })
    const { data } = await timeline(web.incident)
    expect(data.map((entry) => [entry.kind, entry.kind === 'probe' ? entry.outcome : ''])).toEqual([
      ['deployment', ''],
      ['probe', 'up'],
      ['probe', 'down'],
      ['probe', 'down'],
      ['alert', ''],
      ['probe', 'down'],
      ['probe', 'up'],
      ['probe', 'up'],
      ['change', ''],
    ])
    expect(data.find(({ kind }) => kind === 'alert')).toMatchObject({
      channel: 'mail',
      title: 'web is down',
      recipients: 2,
      state: 'sent',
    })
    const stored = await db
      .insert(alertChannels)
      .values(['Desk', 'Pager', 'Gone'].map((name) => ({ name, kind: 'webhook' as const, settings: {} })))
      .returning()
    const row = { ...alert, channel: 'channel', created_at: minutesAgo(5), sent_at: minutesAgo(5) }
    await db.insert(alerts).values(stored.map(({ id }) => ({ ...row, channel_id: id })))
    await db.delete(alertChannels).where(eq(alertChannels.name, 'Gone'))
    const entries = (await timeline(web.incident)).data.flatMap((entry) =>
      entry.kind === 'alert' && entry.channel_id !== null ? [[entry.channel, entry.recipients]] : [],
    )
    expect(entries).toHaveLength(3)
    expect(entries).toEqual(
      expect.arrayContaining([
        ['Desk', 1],
        ['Pager', 1],
        [null, 1],
      ]),
    )
    expect(new Set((await timeline(web.incident, ben)).data.map(({ kind }) => kind))).toEqual(
      new Set(['probe', 'alert']),
    )
  })

  it('has the probes before, at the beginning and at the end of an incident also with an hour between rounds', async () => {
    const web = await fixtures.insertDownWeb({}, minutesAgo(65))
    await ensurePartition(db, '2026-11-20')
    // Probed 55 minutes after the beginning of each round.
    await db.insert(statistics).values(
      (['up', 'down', 'up'] as const).map((outcome, round) => ({
        web_id: web.id,
        round_at: minutesAgo(180 - 60 * round),
        created_at: minutesAgo(125 - 60 * round),
        outcome,
        status: outcome === 'up' ? 200 : 503,
      })),
    )
    await end(web.incident, minutesAgo(5))
    const { data } = await timeline(web.incident)
    expect(data.map((entry) => entry.kind === 'probe' && entry.outcome)).toEqual(['up', 'down', 'up'])
  })
})

describe('rights', () => {
  it.each(invalidIds)('finds no incident %s', async (id) => {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/timeline', undefined],
      ['GET', '/comments', undefined],
      ['POST', '/comments', { text: 'x' }],
      ['PUT', '/acknowledge', {}],
      ['DELETE', '/acknowledge', undefined],
      ['PUT', '/assign', { user: benId }],
      ['DELETE', '/assign', undefined],
      ['PUT', '/snooze', { until: minutesAgo(-60).toISOString() }],
      ['DELETE', '/snooze', undefined],
      ['PUT', '/post-mortem', { text: 'x' }],
      ['PUT', '/deployment', { deployment: null }],
      ['DELETE', '/deployment', undefined],
    ] as const)
      expect([path, (await ada.send(method, `${base}/${id}${path}`, body)).status]).toEqual([path, 404])
  })

  it.each(Object.entries(seedRoles))(
    'shows %s what it may see, also of deleted webs',
    async (role, granted) => {
      const web = await fixtures.insertDownWeb()
      const deleted = await fixtures.insertDownWeb()
      await db.update(webs).set({ deleted_at: start }).where(eq(webs.id, deleted.id))
      const email = `${role.replaceAll(' ', '-')}@kustos.test`
      await createUser(database, email, granted)
      const client = await signIn(origin, email)
      const holds = (...needed: readonly string[]) =>
        granted === 'admin' || needed.every((permission) => granted.some((held) => held === permission))
      const maySee = holds('view monitoring web statistic')
      const status = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
        (await client.send(method, `${base}${path}`, body)).status
      expect(await status('GET', `/${web.incident}`)).toBe(maySee ? 200 : 403)
      expect(await status('GET', `/${deleted.incident}`)).toBe(
        maySee ? (holds('restore webs') ? 200 : 404) : 403,
      )
      expect(await status('GET', '/overview')).toBe(maySee ? 200 : 403)
      if (maySee) expect(await list('', client)).toHaveLength(holds('restore webs') ? 2 : 1)
      expect(await status('POST', `/${web.incident}/comments`, { text: 'x' })).toBe(maySee ? 201 : 403)
      expect(await status('PUT', `/${web.incident}/acknowledge`, {})).toBe(maySee ? 204 : 403)
      expect(await status('PUT', `/${web.incident}/post-mortem`, { text: 'x' })).toBe(
        holds('view monitoring web statistic', 'edit webs') ? 204 : 403,
      )
      expect(await status('PUT', `/${web.incident}/deployment`, { deployment: null })).toBe(
        holds('view monitoring web statistic', 'view queue') ? 204 : 403,
      )
    },
  )
})

it('records who has changed what, with the text', async () => {
  const { incident } = await fixtures.insertDownWeb()
  await ada.send('POST', `${base}/${incident}/comments`, { text: 'Looking' })
  const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
  expect(entry).toMatchObject({
    log_name: 'incidents',
    description: 'commented',
    subject_type: 'incident',
    subject_id: incident,
    properties: { attributes: { text: 'Looking' } },
  })
  expect(await db.execute(sql`select 1 from incident_comments`)).toMatchObject({ rowCount: 1 })
})
