import { type AttentionKind, type AttentionList, listAttention } from '@kustos/contract/attention'
import { can, type Permission, permissions } from '@kustos/contract/permissions'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'
import { attentionFixtures, type SharedKind, start } from './attention-fixtures.ts'
import { seedRoles } from './seed-roles.ts'

const database = await testDatabase()
const fixtures = attentionFixtures(database)
const origin = await listen(database, { now: () => start })

const web: readonly AttentionKind[] = [
  'tracking_without_consent',
  'tracking_drift',
  'certificate_wrong',
  'certificate_expiring',
  'ipv6_failing',
  'framework_unsupported',
  'dns_changed',
]
/** Which permission shows which kinds. All others show none. */
const kindsOf: { readonly [P in Permission]?: readonly AttentionKind[] } = {
  'view webs': web,
  'view monitoring web statistic': [
    'monitoring_stopped',
    'web_down',
    'alert_channel_refusing',
    'rota_unstaffed',
  ],
  'view queue': ['deployment_stuck', 'deployment_failed'],
  'view external domains': ['external_domain_expiring'],
  'view limitis domains': ['domain_expiring', 'registrar_sync_failing'],
  'view limitis email': ['registrar_sync_failing'],
  'view bitbucket': ['repository_sync_failing'],
  'manage nodes': ['node_sync_failing'],
  'edit alert channels': ['alert_channel_refusing'],
}

const holders: Readonly<Record<string, readonly Permission[] | 'admin'>> = {
  ...Object.fromEntries(permissions.map((permission) => [permission, [permission]])),
  ...seedRoles,
}
const clients = new Map<string, { readonly id: number; readonly client: ApiClient }>()
let subjects: Readonly<Record<SharedKind, string | null>>
let all: AttentionList
let admin: ApiClient

beforeAll(async () => {
  subjects = await fixtures.insertOneOfEach()
  for (const [name, granted] of Object.entries(holders)) {
    const email = `${name.replaceAll(' ', '-')}@kustos.test`
    const id = await createUser(database, email, granted)
    clients.set(name, { id, client: await signIn(origin, email) })
  }
  admin = clientOf('admin').client
  all = await admin.json<AttentionList>('/api/attention')
}, 60_000)

function clientOf(holder: string) {
  const found = clients.get(holder)
  if (found === undefined) throw new Error(`${holder} has no client`)
  return found
}

const visibleTo = (holder: string): readonly AttentionKind[] => {
  const granted = holders[holder] ?? []
  if (granted === 'admin') return Object.keys(subjects) as AttentionKind[]
  return [...new Set(granted.flatMap((permission) => kindsOf[permission] ?? []))]
}

function mayList(holder: string): boolean {
  const granted = holders[holder] ?? []
  return granted === 'admin' || can({ roles: [], permissions: granted }, listAttention.access)
}

/** What can be done about an entry. All of it asks for the same right, so each decision is tried with all of it once. */
const changes = [
  ['acknowledge', () => ({})],
  ['assign', () => ({ user: clientOf('admin').id })],
  ['snooze', () => ({ until: new Date(start.getTime() + 3_600_000).toISOString() })],
] as const

/** Those who may not list anything are refused before an entry is read, so one is enough. */
const triedBy = (holder: string) => (mayList(holder) ? all.data : all.data.slice(0, 1))

it('shows an admin one entry of each kind', () => {
  expect(Object.fromEntries(all.data.map(({ kind, subject }) => [kind, subject]))).toEqual(subjects)
  expect(all.data).toHaveLength(Object.keys(subjects).length)
})

describe.each(Object.keys(holders))('%s', (holder) => {
  it('sees, and may change, only the entries of the lists that they may see', async () => {
    const { client } = clientOf(holder)
    const visible = visibleTo(holder)
    const response = await client.fetch('/api/attention')
    expect(response.status).toBe(mayList(holder) ? 200 : 403)
    if (response.status === 200) {
      const { data, counts, kinds } = (await response.json()) as AttentionList
      expect(data.map(({ kind }) => kind).toSorted()).toEqual(visible.toSorted())
      expect(Object.keys(kinds).toSorted()).toEqual(visible.toSorted())
      expect(counts.open).toBe(visible.length)
    }
    const tried = new Set<number>()
    for (const { id, kind } of triedBy(holder)) {
      const allowed = visible.includes(kind) ? 204 : 403
      for (const [change, body] of tried.has(allowed) ? changes.slice(0, 1) : changes) {
        const path = `/api/attention/${id}/${change}`
        expect([kind, change, (await client.send('PUT', path, body())).status]).toEqual([
          kind,
          change,
          allowed,
        ])
        expect([kind, change, (await client.send('DELETE', path)).status]).toEqual([kind, change, allowed])
      }
      tried.add(allowed)
    }
  })

  it('is offered for, and can be assigned, only entries that they may see', async () => {
    const { id: user } = clientOf(holder)
    const visible = visibleTo(holder)
    for (const { id, kind } of triedBy(holder)) {
      const { data } = await admin.json<{ data: { id: number }[] }>(`/api/attention/assignees?kind=${kind}`)
      const isOffered = data.some((assignee) => assignee.id === user)
      const { status } = await admin.send('PUT', `/api/attention/${id}/assign`, { user })
      expect([kind, isOffered, status]).toEqual(
        visible.includes(kind) ? [kind, true, 204] : [kind, false, 422],
      )
      await admin.send('DELETE', `/api/attention/${id}/assign`)
    }
  })
})
