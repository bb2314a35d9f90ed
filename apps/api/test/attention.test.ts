import type { AttentionEntry, AttentionList } from '@kustos/contract/attention'
import type { WebCertificate } from '@kustos/contract/certificates'
import type { IncidentDetails } from '@kustos/contract/incidents'
import {
  deployments,
  incidents,
  inspections,
  logEntries,
  nodes,
  ownDomains,
  probeRounds,
  webCertificates,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, eq, inArray } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from './api-client.ts'
import { attentionFixtures, inDays, minutesAgo, start } from './attention-fixtures.ts'

const database = await testDatabase()
const { db } = database
const fixtures = attentionFixtures(database)
let now = start
const origin = await listen(database, {
  now: () => now,
  monitoring: { intervalSeconds: 60, internalMarker: '.intern.' },
})
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
beforeEach(async () => {
  now = start
  await fixtures.insertRound(minutesAgo(1))
})
afterEach(async () => {
  await database.owner.pool.query(
    'truncate webs, nodes, own_domains, inspections, probe_rounds, attention_handling cascade',
  )
})

/** Sessions end meanwhile. Monitoring goes on. */
async function travelTo(time: Date) {
  now = time
  ada = await signIn(origin, 'ada@kustos.test')
  await fixtures.insertRound(time)
}

const list = (query = '', client = ada) => client.json<AttentionList>(`/api/attention${query}`)
async function onlyEntry(query = ''): Promise<AttentionEntry> {
  const { data } = await list(query)
  const [entry] = data
  if (entry === undefined || data.length !== 1) throw new Error(`${data.length} entries`)
  return entry
}
const put = (client: ApiClient, { id }: { id: string }, change: string, body: object = {}) =>
  client.send('PUT', `/api/attention/${id}/${change}`, body)
const undo = (client: ApiClient, { id }: { id: string }, change: string) =>
  client.send('DELETE', `/api/attention/${id}/${change}`)
const messageOf = async (response: Response) => ((await response.json()) as { message: string }).message
const lastLog = async () =>
  (await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)).map(
    ({ log_name, description, subject_type, subject_id, properties }) => ({
      log_name,
      description,
      subject_type,
      subject_id,
      attributes: properties.attributes,
    }),
  )[0]

describe('webs that are down', () => {
  it('are listed with node, customer, reason and beginning', async () => {
    const node = await fixtures.insertNode('n1')
    const { id, fqdn } = await fixtures.insertDownWeb({ node_id: node })
    expect(await onlyEntry()).toMatchObject({
      kind: 'web_down',
      subject: fqdn,
      web_id: id,
      customer: 'ALPEN',
      node: 'n1',
      since: expect.stringMatching(/^2026-11-20T09:53:00/),
      reason: 'the connection was refused',
      reason_code: 'connection_refused',
      node_outage: null,
      incident_id: expect.any(Number),
      acknowledged_at: null,
      updated_at: null,
    })
  })

  it.each([
    ['whose monitoring is off', { monitoring_web_active: false }],
    ['that are inactive', { status: 16 }],
    ['of the operator', { fqdn: 'x.intern.test', fqdn_ascii: 'x.intern.test' }],
    ['that are deleted', { deleted_at: start }],
  ])('leave out those %s', async (_, fields) => {
    await fixtures.insertDownWeb(fields)
    expect((await list()).data).toEqual([])
  })

  it('leave out those of which a deployment runs, or has ended since the last failed probe', async () => {
    const { id: web_id, fqdn } = await fixtures.insertDownWeb()
    const deployment = await fixtures.insertDeployment({
      kind: 'updateWeb',
      state: 'running',
      web_id,
      fqdn,
      updated_at: start,
      held_until: start,
    })
    expect((await list()).data).toEqual([])
    const end = (ended_at: Date) =>
      db.update(deployments).set({ state: 'succeeded', ended_at }).where(eq(deployments.id, deployment))
    await end(start)
    expect((await list()).data).toEqual([])
    await end(minutesAgo(2))
    expect((await list()).data).toMatchObject([{ kind: 'web_down', subject: fqdn }])
  })

  it('are listed while a deployment runs that takes no web down', async () => {
    const { id: web_id, fqdn } = await fixtures.insertDownWeb()
    await fixtures.insertDeployment({ kind: 'backupWeb', state: 'running', web_id, fqdn, held_until: start })
    expect((await list()).data.map(({ kind, subject }) => [kind, subject])).toContainEqual(['web_down', fqdn])
  })

  it('are listed if their domain has moved away', async () => {
    const { id, fqdn } = await fixtures.insertDownWeb({ domain_status: 2 })
    expect((await list()).data).toEqual([])
    await db.update(incidents).set({ kind: 'moved' }).where(eq(incidents.web_id, id))
    expect((await list()).data).toMatchObject([{ kind: 'web_down', subject: fqdn }])
  })

  it('are counted among those of all nodes at the address of the outage', async () => {
    const host = [await fixtures.insertNode('n1'), await fixtures.insertNode('n2')] as const
    await db.update(nodes).set({ address: '192.0.2.9' }).where(inArray(nodes.id, host))
    await fixtures.insertWeb({ node_id: await fixtures.insertNode('n3') })
    const members: number[] = []
    for (const node of [host[0], host[0], host[1]])
      members.push((await fixtures.insertDownWeb({ node_id: node })).incident)
    await fixtures.insertWeb({ node_id: host[1] })
    await fixtures.insertOutage(host[0], members)
    expect((await list()).data[0]?.node_outage).toMatchObject({ down: 3, monitored: 4 })
  })

  it('are grouped if they are members of the same incident', async () => {
    const node = await fixtures.insertNode('n1')
    for (const _ of [1, 2, 3, 4]) await fixtures.insertWeb({ node_id: node })
    const members: number[] = []
    for (const _ of [1, 2, 3, 4]) members.push((await fixtures.insertDownWeb({ node_id: node })).incident)
    expect((await list()).data.map(({ node_outage }) => node_outage)).toEqual([null, null, null, null])
    const incident_id = await fixtures.insertOutage(node, members)
    await fixtures.insertDownWeb({ node_id: node })
    const outage = { node_id: node, down: 4, monitored: 9, incident_id }
    expect((await list()).data.map((entry) => entry.incident_id)).toEqual(expect.arrayContaining(members))
    expect((await list()).data.map(({ node_outage }) => node_outage)).toEqual([
      outage,
      outage,
      outage,
      outage,
      null,
    ])
    expect((await list('?limit=1')).data).toHaveLength(1)
    expect((await list('?limit=2')).data.map(({ node_outage }) => node_outage)).toEqual([
      outage,
      outage,
      null,
    ])
  })
})

describe('deployments', () => {
  const listed = async () => (await list()).data.map(({ kind, reason_code }) => [kind, reason_code])

  it.each([
    ['waiting', { state: 'waiting' }, [['deployment_stuck', 'deployment_not_started']]],
    ['waiting for another', { state: 'waiting', waits_for: 'another' }, []],
    ['waiting for a moment', { state: 'waiting', updated_at: minutesAgo(14) }, []],
    [
      'running without a worker',
      { state: 'running', held_until: minutesAgo(6), updated_at: minutesAgo(20) },
      [['deployment_stuck', 'deployment_worker_lost']],
    ],
    [
      'running without progress',
      { state: 'running', held_until: start },
      [['deployment_stuck', 'deployment_no_progress']],
    ],
    ['running with progress', { state: 'running', held_until: start, updated_at: minutesAgo(50) }, []],
  ] as const)('that are %s', async (_, fields, entries) => {
    await fixtures.insertDeployment(fields)
    expect(await listed()).toEqual(entries)
  })

  it('that have failed are listed until one of the kind is requested, and for a month', async () => {
    const failed = { state: 'failed', ended_at: minutesAgo(60), error: 'No space', error_code: 'disk_full' }
    const id = await fixtures.insertDeployment(failed)
    expect(await onlyEntry()).toMatchObject({
      kind: 'deployment_failed',
      deployment: { id, kind: 'backupWeb' },
      reason: 'No space',
      reason_code: 'disk_full',
    })
    await travelTo(inDays(30))
    expect((await list()).data).toEqual([])
    await travelTo(start)
    const [{ web_id, fqdn } = {}] = await db.select().from(deployments).where(eq(deployments.id, id))
    await fixtures.insertDeployment({ state: 'cancelled', web_id, ...(fqdn !== undefined && { fqdn }) })
    expect((await list()).data).toEqual([])
  })
})

describe('what ends', () => {
  it('is listed before and, as a new occurrence, after its end', async () => {
    await fixtures.insertWeb({ cert_expiration: inDays(15) })
    const first = await list('', await signIn(origin, 'webs@kustos.test'))
    expect([first.data, first.changes_at]).toEqual([[], expect.stringMatching(/^2026-11-21T10:00:00/)])
    await travelTo(inDays(2))
    const ending = await onlyEntry()
    expect(ending.kind).toBe('certificate_expiring')
    expect((await put(ada, ending, 'acknowledge')).status).toBe(204)
    expect((await list()).data).toEqual([])
    await travelTo(inDays(16))
    const ended = await onlyEntry()
    expect(ended).toMatchObject({ kind: 'certificate_expiring', acknowledged_at: null, until: ending.until })
    expect(ended.id).not.toBe(ending.id)
  })

  it('is one entry for names that share their certificate with the web, also while only probes have seen the renewed one', async () => {
    const { id } = await fixtures.insertWeb({ cert_expiration: inDays(90) })
    await fixtures.insertCertificate(id, { name: 'a.test', kind: 'main', valid_to: inDays(3) })
    await fixtures.insertCertificate(id, { name: 'www.a.test', kind: 'www', valid_to: inDays(3) })
    expect((await list()).data).toEqual([])
  })

  it('leaves out a wrong certificate while its name is not reached, and keeps who has acknowledged it', async () => {
    const { id } = await fixtures.insertWeb()
    await fixtures.insertCertificate(id, { state: 'wrong_name', wrong_since: minutesAgo(5) })
    expect((await put(ada, await onlyEntry(), 'acknowledge')).status).toBe(204)
    const acknowledged = async () => (await list('?state=acknowledged')).data.map(({ kind }) => kind)
    expect(await acknowledged()).toEqual(['certificate_wrong'])
    await db.update(webCertificates).set({ state: 'unreachable' })
    expect([await acknowledged(), (await list()).data]).toEqual([[], []])
    const { data } = await ada.json<{ data: WebCertificate[] }>(`/api/webs/${id}/certificates`)
    expect(data).toMatchObject([{ state: 'unreachable', wrong_since: null }])
    await db.update(webCertificates).set({ state: 'wrong_name' })
    expect(await acknowledged()).toEqual(['certificate_wrong'])
  })

  it('leaves out domains that the registrar renews', async () => {
    const domain = (fqdn: string) => ({ customer: 'ALPEN', fqdn, fqdn_ascii: fqdn })
    await db
      .insert(ownDomains)
      .values([
        { ...domain('a.test'), expires_at: inDays(20), auto_renew: true },
        { ...domain('b.test'), expires_at: inDays(20), auto_renew: false },
        { ...domain('c.test'), expires_at: inDays(-1), auto_renew: true },
        { ...domain('d.test'), expires_at: inDays(31) },
        domain('e.test'),
      ])
    expect((await list()).data.map(({ subject }) => subject)).toEqual(['c.test', 'b.test'])
  })
})

it.each([
  ['8.7.32', true],
  ['v08', true],
  ['6.2', true],
  ['12.4', false],
  ['99999999999', false],
  ['unknown', false],
])('TYPO3 %s is without support: %s', async (framework_version, isListed) => {
  await fixtures.insertWeb({ framework_name: 'typo3', framework_version })
  expect((await list()).data.map(({ framework }) => framework)).toEqual(
    isListed ? [`typo3 ${framework_version}`] : [],
  )
})

describe('monitoring', () => {
  it('has stopped after three missing rounds', async () => {
    await fixtures.insertWeb()
    now = minutesAgo(-2)
    expect((await list()).data).toEqual([])
    now = minutesAgo(-3)
    expect(await onlyEntry()).toMatchObject({
      kind: 'monitoring_stopped',
      since: expect.stringMatching(/^2026-11-20T10:00:00/),
      reason_code: 'monitoring_rounds_missing',
    })
  })

  it('is in doubt since the first round in which everything failed', async () => {
    await fixtures.insertWeb()
    await db.delete(probeRounds)
    await fixtures.insertRound(minutesAgo(4), 'known')
    for (const ago of [3, 2, 1]) await fixtures.insertRound(minutesAgo(ago), 'unknown')
    expect(await onlyEntry()).toMatchObject({
      since: expect.stringMatching(/^2026-11-20T09:57:00/),
      reason_code: 'monitoring_network_in_doubt',
    })
  })

  it('needs no attention without monitored webs', async () => {
    now = minutesAgo(-30)
    expect((await list()).data).toEqual([])
  })
})

it('a scan of a node fails since the first failure after the last success', async () => {
  const node_id = await fixtures.insertNode('n1')
  const scan = (state: string, ended_at: Date) => ({
    node_id,
    kind: 'discovery',
    state,
    problems: [`since ${ended_at.toISOString()}`],
    created_at: ended_at,
    ended_at,
  })
  await db.insert(inspections).values([scan('failed', inDays(-4)), scan('succeeded', inDays(-3))])
  expect((await list()).data).toEqual([])
  await db.insert(inspections).values([scan('failed', inDays(-2)), scan('failed', inDays(-1))])
  expect(await onlyEntry()).toMatchObject({
    kind: 'node_sync_failing',
    node: 'n1',
    since: expect.stringMatching(/^2026-11-18/),
    reason: 'since 2026-11-19T10:00:00.000Z',
  })
})

describe('acknowledging', () => {
  it('hides an entry, with a note and a log entry of the web, until it is withdrawn', async () => {
    const { id: web } = await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    expect((await put(ada, entry, 'acknowledge', { note: 'Called the customer' })).status).toBe(204)
    expect(await lastLog()).toEqual({
      log_name: 'attention',
      description: 'acknowledged',
      subject_type: 'web',
      subject_id: web,
      attributes: { kind: 'web_down', since: '2026-11-20T09:53:00.000Z', note: 'Called the customer' },
    })
    expect(await list()).toMatchObject({ data: [], counts: { open: 0, acknowledged: 1 }, kinds: {} })
    expect(await onlyEntry('?state=any')).toMatchObject({ subject: entry.subject })
    expect(await onlyEntry('?state=acknowledged')).toMatchObject({
      id: entry.id,
      acknowledged_by: { email: 'ada@kustos.test' },
      note: 'Called the customer',
    })
    expect((await undo(ben, entry, 'acknowledge')).status).toBe(204)
    expect(await lastLog()).toMatchObject({ description: 'acknowledgement withdrawn' })
    expect(await onlyEntry()).toMatchObject({ id: entry.id, note: 'Called the customer' })
  })

  it('does not hide the next occurrence', async () => {
    const { id: web, incident } = await fixtures.insertDownWeb()
    const first = await onlyEntry()
    await put(ada, first, 'acknowledge')
    await db.update(incidents).set({ ended_at: start }).where(eq(incidents.id, incident))
    await fixtures.insertIncident(web, minutesAgo(3))
    const second = await onlyEntry()
    expect(second).toMatchObject({ kind: 'web_down', subject: first.subject, acknowledged_at: null })
    expect(second.id).not.toBe(first.id)
  })

  it('is refused for an entry that is over', async () => {
    const { id } = await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    await db.update(webs).set({ monitoring_web_active: false }).where(eq(webs.id, id))
    for (const response of [
      await put(ada, entry, 'acknowledge'),
      await put(ada, entry, 'assign', { user: benId }),
      await put(ada, entry, 'snooze', { until: inDays(1).toISOString() }),
      await undo(ada, entry, 'acknowledge'),
    ]) {
      expect(response.status).toBe(409)
      expect(await messageOf(response)).toBe('This has been resolved in the meantime. Nothing was changed.')
    }
  })

  it('tells the second of two users who was first, whatever they have read', async () => {
    await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    const responses = await Promise.all([put(ada, entry, 'acknowledge'), put(ben, entry, 'acknowledge')])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const [second] = responses.filter(({ status }) => status === 409)
    const who = responses[0]?.status === 204 ? 'ada' : 'ben'
    expect(second && (await messageOf(second))).toBe(
      `${who}@kustos.test acknowledged this at 2026/11/20 11:00:00. Nothing was saved.`,
    )
  })

  it('names who has acknowledged the entry, even if somebody has assigned it since', async () => {
    await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    await put(ada, entry, 'acknowledge')
    expect((await put(ben, entry, 'assign', { user: benId })).status).toBe(204)
    expect(await messageOf(await put(ben, entry, 'acknowledge'))).toBe(
      'ada@kustos.test acknowledged this at 2026/11/20 11:00:00. Nothing was saved.',
    )
  })

  it('is no change the second time, unless the note is another', async () => {
    await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    await put(ada, entry, 'acknowledge')
    const before = await db.$count(logEntries)
    expect((await put(ada, entry, 'acknowledge')).status).toBe(204)
    expect(await db.$count(logEntries)).toBe(before)
    expect((await put(ada, entry, 'acknowledge', { note: 'New' })).status).toBe(204)
    expect(await onlyEntry('?state=acknowledged')).toMatchObject({ note: 'New' })
  })

  it('covers all webs of an outage, and not those that follow', async () => {
    const node = await fixtures.insertNode('n1')
    const members: number[] = []
    for (const _ of [1, 2, 3]) members.push((await fixtures.insertDownWeb({ node_id: node })).incident)
    await fixtures.insertOutage(node, members)
    const alone = await fixtures.insertDownWeb()
    const [first] = (await list()).data
    if (first === undefined) throw new Error('There is no entry')
    expect((await put(ada, first, 'acknowledge', { group: true })).status).toBe(204)
    expect((await list('?state=acknowledged')).data).toHaveLength(3)
    expect((await list()).data).toMatchObject([{ subject: alone.fqdn }])
    const next = await fixtures.insertDownWeb({ node_id: node })
    expect((await list()).data).toMatchObject([{ subject: alone.fqdn }, { subject: next.fqdn }])
    await ada.send('DELETE', `/api/attention/${first.id}/acknowledge?group=1`)
    expect((await list()).data).toHaveLength(5)
  })
})

it('handles an outage and leaves an earlier one of the node, which goes on, to the user who has it', async () => {
  const node = await fixtures.insertNode('n1')
  const began = minutesAgo(3 * 24 * 60)
  const old = await fixtures.insertDownWeb({ node_id: node }, began)
  const earlier = await fixtures.insertOutage(node, [old.incident], began)
  const kept = await onlyEntry()
  expect((await put(ada, kept, 'assign', { user: benId })).status).toBe(204)
  const members: number[] = []
  for (const _ of [1, 2, 3]) members.push((await fixtures.insertDownWeb({ node_id: node })).incident)
  const latest = await fixtures.insertOutage(node, members)
  const { data } = await list()
  expect(data.map(({ node_outage }) => node_outage)).toEqual(
    expect.arrayContaining([
      { node_id: node, down: 1, monitored: 4, incident_id: earlier },
      { node_id: node, down: 3, monitored: 4, incident_id: latest },
    ]),
  )
  const first = data.find(({ node_outage }) => node_outage?.incident_id === latest)
  if (first === undefined) throw new Error('The outage is missing')
  expect((await put(ada, first, 'acknowledge', { group: true })).status).toBe(204)
  expect((await list('?state=acknowledged')).data).toHaveLength(3)
  expect(await onlyEntry()).toMatchObject({ id: kept.id, assigned_to: { id: benId } })
})

describe('an outage whose webs two users have handled', () => {
  /** The entries of its webs, of which Ben has acknowledged the third one. The first one is what the list shows. */
  async function openGroup() {
    const node = await fixtures.insertNode('n1')
    const members: number[] = []
    for (const _ of [1, 2, 3]) members.push((await fixtures.insertDownWeb({ node_id: node })).incident)
    await fixtures.insertOutage(node, members)
    const [first, second, third] = (await list()).data
    if (!first || !second || !third) throw new Error('An entry is missing')
    expect((await put(ben, third, 'acknowledge', { note: 'Ben calls them' })).status).toBe(204)
    return { first, second, third }
  }
  const notes = async () =>
    new Map((await list('?state=any')).data.map(({ id, note }) => [id, note] as const))

  it('is reopened only for what the user has acknowledged when that is undone', async () => {
    const { first, second, third } = await openGroup()
    now = minutesAgo(-1)
    expect((await put(ada, second, 'acknowledge')).status).toBe(204)
    now = minutesAgo(-2)
    expect((await put(ada, first, 'acknowledge', { group: true })).status).toBe(204)
    expect((await list()).data).toEqual([])
    const undone = await ada.send('DELETE', `/api/attention/${first.id}/acknowledge?group=1&undo=1`)
    expect(undone.status).toBe(204)
    expect((await list()).data).toMatchObject([{ id: first.id }])
    const left = (await list('?state=acknowledged')).data
    expect(new Map(left.map(({ id, acknowledged_by }) => [id, acknowledged_by?.email]))).toEqual(
      new Map([
        [second.id, 'ada@kustos.test'],
        [third.id, 'ben@kustos.test'],
      ]),
    )
    // Nothing of the user's own is left to be undone.
    const again = await ada.send('DELETE', `/api/attention/${first.id}/acknowledge?group=1&undo=1`)
    expect(again.status).toBe(204)
    expect((await list('?state=acknowledged')).data).toHaveLength(2)
  })

  it('keeps the notes that others have written, and logs those that are replaced', async () => {
    const { first, second, third } = await openGroup()
    const of = { group: true }
    const until = inDays(1).toISOString()
    expect((await put(ada, first, 'assign', { ...of, user: benId, note: 'Provider is down' })).status).toBe(
      204,
    )
    const kept = [third.id, 'Ben calls them'] as const
    const told = new Map([[first.id, 'Provider is down'], [second.id, 'Provider is down'], kept])
    expect(await notes()).toEqual(told)
    expect((await put(ada, first, 'snooze', { ...of, until })).status).toBe(204)
    expect(await notes()).toEqual(told)
    const before = await db.$count(logEntries)
    expect((await put(ada, first, 'snooze', { ...of, until, note: '' })).status).toBe(204)
    expect(await notes()).toEqual(new Map([[first.id, null], [second.id, null], kept]))
    const entries = await db.select().from(logEntries).orderBy(logEntries.id).offset(before)
    expect(entries.map(({ subject_id, properties }) => [subject_id, properties.old])).toEqual([
      [first.web_id, { note: 'Provider is down' }],
      [second.web_id, { note: 'Provider is down' }],
      [third.web_id, undefined],
    ])
  })
})

describe('assigning', () => {
  it('names the assignee, in whose list the entry is', async () => {
    await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    expect((await put(ada, entry, 'assign', { user: benId, note: 'Please look' })).status).toBe(204)
    expect(await lastLog()).toMatchObject({
      description: 'assigned',
      attributes: { assigned_to: 'ben@kustos.test', note: 'Please look' },
    })
    expect(await list('?mine=1', ben)).toMatchObject({
      data: [{ id: entry.id, assigned_to: { id: benId } }],
      counts: { open: 1, mine: 1 },
    })
    expect(await list('?mine=1')).toMatchObject({ data: [], counts: { mine: 0 } })
    expect((await undo(ada, entry, 'assign')).status).toBe(204)
    expect(await onlyEntry()).toMatchObject({ assigned_to: null })
  })

  it('is refused if someone else has handled the entry since it was read', async () => {
    await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    await put(ben, entry, 'snooze', { until: inDays(1).toISOString(), updated_at: null })
    const response = await put(ada, entry, 'assign', { user: benId, updated_at: entry.updated_at })
    expect(response.status).toBe(409)
    expect(await messageOf(response)).toMatch(/^ben@kustos\.test snoozed this at /)
    const read = await onlyEntry('?state=snoozed')
    expect((await put(ada, entry, 'assign', { user: benId, updated_at: read.updated_at })).status).toBe(204)
  })
})

describe('snoozing', () => {
  it('hides an entry until its time, which the list announces', async () => {
    await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    const until = minutesAgo(-2)
    expect((await put(ada, entry, 'snooze', { until: until.toISOString() })).status).toBe(204)
    expect(await list()).toMatchObject({
      data: [],
      counts: { open: 0, snoozed: 1 },
      changes_at: expect.stringMatching(/^2026-11-20T10:02:00/),
    })
    now = until
    expect(await onlyEntry()).toMatchObject({ id: entry.id })
    now = start
    expect((await undo(ada, entry, 'snooze')).status).toBe(204)
    expect(await onlyEntry()).toMatchObject({ snoozed_until: null })
  })

  it('opens an acknowledged entry and its incident again for everybody once it ends', async () => {
    const { incident } = await fixtures.insertDownWeb()
    const readIncident = () => ada.json<IncidentDetails>(`/api/monitoring/incidents/${incident}`)
    const entry = await onlyEntry()
    expect((await put(ada, entry, 'acknowledge')).status).toBe(204)
    const until = minutesAgo(-2)
    expect((await put(ada, entry, 'snooze', { until: until.toISOString() })).status).toBe(204)
    expect(await list('?state=snoozed')).toMatchObject({ data: [{ id: entry.id }], counts: { open: 0 } })
    expect((await put(ben, entry, 'acknowledge')).status).toBe(409)
    const by = { email: 'ada@kustos.test' }
    expect(await readIncident()).toMatchObject({
      acknowledged_by: by,
      snoozed_by: by,
      snoozed_until: expect.stringMatching(/^2026-11-20T10:02:00/),
    })
    now = until
    expect(await onlyEntry()).toMatchObject({ id: entry.id })
    expect(await readIncident()).toMatchObject({
      acknowledged_by: null,
      snoozed_by: null,
      snoozed_until: null,
    })
    expect((await put(ben, entry, 'acknowledge')).status).toBe(204)
    expect(await onlyEntry('?state=acknowledged')).toMatchObject({
      acknowledged_by: { email: 'ben@kustos.test' },
      snoozed_until: null,
    })
  })

  it('does not bring back an acknowledgement that an earlier snooze has ended', async () => {
    const { incident } = await fixtures.insertDownWeb()
    const readIncident = () => ada.json<IncidentDetails>(`/api/monitoring/incidents/${incident}`)
    const entry = await onlyEntry()
    await put(ada, entry, 'acknowledge')
    await put(ada, entry, 'snooze', { until: minutesAgo(-1).toISOString() })
    now = minutesAgo(-1)
    await put(ben, entry, 'snooze', { until: minutesAgo(-9).toISOString() })
    expect(await readIncident()).toMatchObject({
      acknowledged_by: null,
      snoozed_by: { email: 'ben@kustos.test' },
    })
    expect((await undo(ben, entry, 'snooze')).status).toBe(204)
    expect(await onlyEntry()).toMatchObject({ id: entry.id, acknowledged_at: null })
  })

  it('leaves an entry acknowledged if the snooze is ended before its time', async () => {
    await fixtures.insertDownWeb()
    const entry = await onlyEntry()
    await put(ada, entry, 'acknowledge')
    await put(ada, entry, 'snooze', { until: minutesAgo(-2).toISOString() })
    expect((await undo(ada, entry, 'snooze')).status).toBe(204)
    expect(await onlyEntry('?state=acknowledged')).toMatchObject({ id: entry.id })
  })

  it('needs a time ahead', async () => {
    await fixtures.insertDownWeb()
    const response = await put(ada, await onlyEntry(), 'snooze', { until: start.toISOString() })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { until: ['Must be in the future'] } })
  })
})

it.each(['web_down.1', 'web_up.1.1', 'web_down.0.1', 'web_down.1.1.1', '7', 'web_down.1.-1'])(
  'does not find the entry %s',
  async (id) => {
    expect((await put(ada, { id }, 'acknowledge')).status).toBe(404)
  },
)

it('filters by kind and customer', async () => {
  await fixtures.insertDownWeb()
  await fixtures.insertDownWeb({ customer: 'BERG' })
  await fixtures.insertWeb({ cert_expiration: inDays(1) })
  expect((await list('?kind=certificate_expiring')).data).toHaveLength(1)
  expect(await list('?customer=BERG')).toMatchObject({ kinds: { web_down: 1 } })
})
