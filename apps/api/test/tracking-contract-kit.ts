import type { AttentionList } from '@kustos/contract/attention'
import type { Permission } from '@kustos/contract/permissions'
import type { Finding } from '@kustos/contract/tracking'
import type { ContractDraft, CustomerContract, TrackingDrift } from '@kustos/contract/tracking-contracts'
import { alertChannels, alertRoutes, alerts as alertRows, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { createContext } from '@kustos/domain/platform/context'
import { request } from '@kustos/domain/testing/audits'
import { storeAudit } from '@kustos/domain/tracking'
import { asc, eq } from 'drizzle-orm'
import { type ApiClient, createTestServices, createUser, listen, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'

const minuteMs = 60_000
const start = Date.parse('2026-11-20T10:00:00Z')

export const ofCustomer = '/api/customers/ALPEN/contract'
export const ofWeb = (web: number) => `/api/webs/${web}/contract`

const finding = (topic: Finding['topic'], value: string, version: number | null = null): Finding => ({
  topic,
  value,
  domain: null,
  version,
  names: null,
  evidence: [{ source: 'inline', url: 'https://a.test/', excerpt: value, gated: false }],
})
export const usual = (id = 'G-AAAA111') => [finding('usercentrics', 'abc', 3), finding('googleanalytics', id)]
export const pixel = finding('facebookads', '123456789012345')

interface AuditOptions {
  readonly outcome?: 'seen' | 'partial' | 'failed'
  /** Whether what could not be read hides no tracking. */
  readonly complete?: boolean
  /** That a browser has seen; there is none, unless something else is said. */
  readonly hosts?: readonly string[]
  /** The inspection that it belongs to. */
  readonly inspection?: number
  /** A minute after the last one, unless something else is said. */
  readonly afterMs?: number
}

/** An API with two webs of one customer, whose audits are stored by the clock that this returns functions for. */
export async function openTrackingContracts(database: TestDatabase) {
  const { db } = database
  let clock = start
  const now = () => new Date(clock)
  const origin = await listen(database, { now })
  const { deployments: tools } = await createTestServices(database)
  const channels = { slack: null, telegram: null, mail: null }
  const alerts = { ...tools, channels, mailTo: [], publicUrl: 'https://kustos.test' }
  const context = createContext(database, null, now)

  async function clientOf(name: string, permissions: readonly Permission[] | 'admin'): Promise<ApiClient> {
    await createUser(database, `${name}@kustos.test`, permissions)
    return signIn(origin, `${name}@kustos.test`)
  }
  const admin = await clientOf('admin', 'admin')

  const tables = [
    'alerts',
    'alert_routes',
    'alert_channels',
    'inspections',
    'deployments',
    'tracking_contracts',
    'tracking_exceptions',
    'webs',
    'customers',
  ]

  /** @returns the ids of new webs, whose customer has a route for alerts about tracking */
  async function reset(): Promise<readonly [number, number]> {
    clock = start
    for (const table of tables) await database.owner.pool.query(`delete from ${table}`)
    const facts = { configured_ip: '192.0.2.1', customer: 'ALPEN', status: 0, domain_status: 1 }
    const rows = await db
      .insert(webs)
      .values(['a.test', 'b.test'].map((fqdn) => ({ ...facts, fqdn, fqdn_ascii: fqdn })))
      .returning({ id: webs.id })
    const channel = only(
      await db.insert(alertChannels).values({ name: 'Privacy', kind: 'webhook', settings: {} }).returning(),
    )
    const everything = { tags: [], node_ids: [], weekdays: [], replaces_channels: false, continues: false }
    await db.insert(alertRoutes).values({
      ...everything,
      name: 'Tracking',
      position: 1,
      is_active: true,
      customers: ['ALPEN'],
      severities: ['tracking'],
      steps: [{ after_minutes: 0, channels: [channel.id], rotas: [] }],
    })
    return [rows[0]?.id ?? 0, rows[1]?.id ?? 0]
  }

  async function audit(
    web: number,
    findings: readonly Finding[],
    {
      outcome = 'seen',
      complete = outcome === 'seen',
      hosts,
      inspection,
      afterMs = minuteMs,
    }: AuditOptions = {},
  ): Promise<void> {
    clock += afterMs
    const read = { outcome, complete, findings, screenshots: [], thirdParties: [] }
    const engine = hosts === undefined ? 'static' : 'browser'
    const visit =
      hosts === undefined
        ? null
        : { refused: null, accepted: null, asked: hosts.map((host) => request(host)) }
    const page = { ...read, engine, visit, problems: [] } as const
    const named = await db.select({ id: webs.id, host: webs.fqdn_ascii }).from(webs).where(eq(webs.id, web))
    await storeAudit(context, alerts, only(named), page, {
      inspection: inspection === undefined ? null : { id: inspection, isRequested: false },
      revision: 'test',
    })
  }

  /** Saves the draft, as two clicks do. */
  async function saveDraft(): Promise<ContractDraft> {
    const draft = await admin.json<ContractDraft>(`${ofCustomer}/draft`)
    const overrides = draft.overrides.map(({ web_id, settings }) => ({ web_id, ...settings }))
    const { status } = await admin.send('PUT', ofCustomer, { ...draft.settings, overrides, updated_at: null })
    if (status !== 204) throw new Error(`The draft was not saved: ${status}`)
    return draft
  }

  return {
    admin,
    clientOf,
    context,
    tools,
    now,
    advanceMs(durationMs: number) {
      clock += durationMs
    },
    reset,
    audit,
    saveDraft,
    readContract: () => admin.json<CustomerContract>(ofCustomer),
    readDrift: (web: number) => admin.json<TrackingDrift>(`/api/webs/${web}/tracking/drift`),
    listEntries: async () => (await admin.json<AttentionList>('/api/attention?kind=tracking_drift')).data,
    listMessages: async () =>
      (await db.select().from(alertRows).orderBy(asc(alertRows.id))).map(({ content }) => content),
  }
}

/** The states of the customer's webs. */
export const statesOf = ({ webs: all }: CustomerContract) => all?.map(({ state }) => state)
