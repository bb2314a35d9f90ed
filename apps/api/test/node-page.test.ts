import { type AttentionList, attentionRoutes } from '@kustos/contract/attention'
import { nodeOverview, nodesRoutes } from '@kustos/contract/nodes'
import type { Permission } from '@kustos/contract/permissions'
import { urlOf } from '@kustos/contract/route'
import { timeline } from '@kustos/contract/timeline'
import {
  deployments,
  discoveredWebs,
  incidents,
  inspections,
  nodes,
  trackingAudits,
  uptimeDays,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'

const now = new Date('2026-11-21T12:00:00Z')
const database = await testDatabase()
const { db } = database
const origin = await listen(database, { now: () => now })
const { readNodeOverview, readNodeTimeline, editNode } = nodesRoutes

async function clientOf(name: string, permissions: Permission[] | 'admin'): Promise<ApiClient> {
  await createUser(database, `${name}@kustos.test`, permissions)
  return signIn(origin, `${name}@kustos.test`)
}
const admin = await clientOf('admin', 'admin')

const at = (day: string) => new Date(`2026-11-${day}T10:00:00Z`)
const plesk = { name: 'bz-cloud-01', plesk_fqdn: 'panel.test', ssh_host: '192.0.2.4', plesk_key: 'sealed' }
const node = only(await db.insert(nodes).values(plesk).returning()).id
const other = only(await db.insert(nodes).values({ name: 'n2', plesk_fqdn: 'n2.test' }).returning()).id

async function addWeb(name: string, more: Partial<typeof webs.$inferInsert> = {}) {
  const values = {
    fqdn: name,
    fqdn_ascii: name,
    customer: 'ALPEN',
    configured_ip: '192.0.2.1',
    node_id: node,
  }
  const row = { ...values, status: 0, domain_status: 1, ...more }
  return only(await db.insert(webs).values(row).returning()).id
}
const web = await addWeb('a.test', {
  down_since: at('21'),
  framework_name: 'TYPO3',
  framework_version: '13.4',
})
await addWeb('b.test')
await addWeb('deleted.test', { deleted_at: now })
const elsewhere = await addWeb('elsewhere.test', { node_id: other })
await db.insert(uptimeDays).values([
  { web_id: web, day: '2026-11-20', known: 1000, downtime: 100, checks: 1, failures: 0 },
  { web_id: elsewhere, day: '2026-11-20', known: 1000, downtime: 1000, checks: 1, failures: 0 },
])
await db.insert(trackingAudits).values({
  web_id: web,
  audited_at: at('20'),
  engine: 'browser',
  outcome: 'seen',
  findings: [],
  visit: { asked: [] },
  before_consent: [{ topic: 'gtm', host: 'tags.test' }],
})
await db.insert(incidents).values({
  web_id: web,
  started_at: at('19'),
  last_failed_at: now,
  watched_until: now,
  reason: 'Timeout',
})
const deployment = { kind: 'backupWeb', fqdn: 'a.test', web_id: web, node_id: node, updated_at: at('18') }
await db.insert(deployments).values([
  { ...deployment, state: 'succeeded', created_at: at('17'), ended_at: at('17') },
  { ...deployment, state: 'waiting', created_at: at('18') },
  {
    ...deployment,
    state: 'failed',
    web_id: elsewhere,
    node_id: other,
    created_at: at('18'),
    ended_at: at('18'),
  },
])
const noProblem = { problem: null, problem_code: null, problem_params: null }
await db.insert(inspections).values([
  { node_id: node, kind: 'discovery', state: 'succeeded', created_at: at('20'), ended_at: at('20') },
  {
    node_id: node,
    kind: 'connection',
    state: 'succeeded',
    created_at: at('20'),
    ended_at: at('20'),
    connection: {
      checks: [{ check: 'panel', ok: true, found: 'Plesk 18.0.63', ...noProblem }],
      host_key: null,
      host_key_fingerprint: null,
    },
  },
])
const discovered = (fqdn: string, php_version: string | null) => ({
  node_id: node,
  fqdn,
  fqdn_ascii: fqdn,
  php_version,
  databases: [],
  sites: [],
})
await db
  .insert(discoveredWebs)
  .values([discovered('a.test', '8.3'), discovered('new.test', '8.3'), discovered('newer.test', null)])

const path = urlOf(readNodeOverview, { name: plesk.name })
const read = async (client: ApiClient) => nodeOverview.parse(await client.json<unknown>(path))

it('shows an administrator everything of a node, but never the key of its panel', async () => {
  const response = await admin.fetch(path)
  const text = await response.text()
  expect(text).not.toContain('sealed')
  const found = nodeOverview.parse(JSON.parse(text))
  expect(found).toMatchObject({
    id: node,
    name: 'bz-cloud-01',
    cloud_enabled: false,
    details: { plesk_fqdn: 'panel.test', has_plesk_key: true },
    software: {
      plesk: 'Plesk 18.0.63',
      php: [
        { version: '8.3', webs: 2 },
        { version: null, webs: 1 },
      ],
    },
    drift: { read_at: at('20').toISOString(), counts: { new: 2, missing: 1 } },
    uptime: { days_30: 90, days_90: 90 },
    deployments: { under_way: [{ state: 'waiting' }], ended: [{ state: 'succeeded', fqdn: 'a.test' }] },
  })
  expect(found.webs).toMatchObject([
    {
      fqdn: 'a.test',
      customer: 'ALPEN',
      down_since: at('21').toISOString(),
      uptime: { days_30: 90 },
      before_consent: [{ topic: 'gtm', host: 'tags.test' }],
    },
    { fqdn: 'b.test', uptime: { days_30: null }, before_consent: null },
  ])
})

it.each<[Permission[], readonly string[]]>([
  [['view webs'], ['webs']],
  [
    ['view webs', 'view monitoring web statistic'],
    ['uptime', 'webs'],
  ],
  [
    ['view webs', 'view queue'],
    ['deployments', 'webs'],
  ],
  [['manage nodes'], ['details', 'drift', 'software']],
])('shows with %j only %j', async (permissions, parts) => {
  const found = await read(await clientOf(permissions.join('-').replaceAll(' ', '-'), permissions))
  const { id: _, name: __, cloud_enabled: ___, tags: ____, ...all } = found
  expect(
    Object.entries(all)
      .flatMap(([part, value]) => (value === null ? [] : [part]))
      .sort(),
  ).toEqual(parts)
})

it('is missing for another name', async () => {
  for (const route of [readNodeOverview, readNodeTimeline]) {
    const response = await admin.fetch(urlOf(route, { name: 'nowhere' }))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ message: 'The node nowhere was not found.' })
  }
})

it('has a timeline of what happened on it, of the kinds that the user may see', async () => {
  await admin.send('PUT', urlOf(editNode, { id: node }), { ...plesk, plesk_key: '', address: '192.0.2.9' })
  const url = urlOf(readNodeTimeline, { name: plesk.name })
  const kindsFor = async (client: ApiClient) =>
    timeline
      .parse(await client.json<unknown>(url))
      .data.map(({ kind, at: moment }) => [kind, moment.slice(0, 10)])
  const [deployed, down] = [
    [
      ['deployment', '2026-11-18'],
      ['deployment', '2026-11-17'],
    ],
    [['incident', '2026-11-19']],
  ]
  expect(await kindsFor(admin)).toEqual([['change', '2026-11-21'], ...down, ...deployed])
  expect(await kindsFor(await clientOf('queue', ['view webs', 'view queue']))).toEqual(deployed)
  const monitoring = await clientOf('incidents', ['view webs', 'view monitoring web statistic'])
  expect(await kindsFor(monitoring)).toEqual(down)
  expect(await kindsFor(await clientOf('webs', ['view webs']))).toEqual([])
})

it('is what the list of what needs attention can be limited to', async () => {
  const list = (query: Record<string, string>) =>
    admin.json<AttentionList>(urlOf(attentionRoutes.listAttention, {}, query))
  const { data, kinds } = await list({ node: plesk.name })
  expect(data.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['web_down', 'a.test'],
    ['deployment_stuck', 'a.test'],
  ])
  expect(kinds).toEqual({ web_down: 1, deployment_stuck: 1 })
  expect((await list({ node: 'nowhere' })).data).toEqual([])
})
