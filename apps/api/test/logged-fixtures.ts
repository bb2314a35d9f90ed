import { createHash } from 'node:crypto'
import {
  alertChannels,
  alertRoutes,
  batches,
  batchTargets,
  categories,
  customers,
  deployments,
  emailChanges,
  externalDomains,
  incidents,
  maintenanceOccurrences,
  maintenanceScopes,
  maintenanceWindows,
  nodes,
  roles,
  rotaOverrides,
  rotas,
  tags,
  trackingContracts,
  trackingDifferences,
  trackingExceptions,
  views,
  watchedDomains,
  webs,
} from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { ApiClient, createUser, password } from './api-client.ts'
import { storeRepositories } from './repositories.ts'

export type LoggedFixtures = Awaited<ReturnType<typeof createLoggedFixtures>>

/** Creates rows for the routes to change, and collects the secrets that must not be logged. */
export async function createLoggedFixtures(database: TestDatabase, origin: string) {
  const { db } = database
  /** Passwords and all cookies of the clients. */
  const secrets = new Set<string>([password])
  const clients: ApiClient[] = []
  let counter = 0
  const next = (what: string) => `${what}${++counter}`

  function client(): ApiClient {
    const created = new ApiClient(origin)
    clients.push(created)
    return created
  }
  async function visit(email: string): Promise<ApiClient> {
    const visitor = client()
    const { status } = await visitor.signIn(email)
    if (status !== 204) throw new Error(`${email} was not signed in: ${status}`)
    return visitor
  }

  const adminId = await createUser(database, 'admin@kustos.test', 'admin')
  const { id: categoryId } = only(await db.insert(categories).values({ name: 'Hotel' }).returning())
  const { id: nodeId } = only(
    await db
      .insert(nodes)
      .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
      .returning(),
  )
  const at = new Date()
  await storeRepositories(db, 'web134-kickstarter-base')

  async function web(more: Partial<typeof webs.$inferInsert> = {}) {
    const name = `${next('web')}.test`
    const row = { fqdn: name, fqdn_ascii: name, customer: 'ALPEN', configured_ip: '192.0.2.1' }
    const values = { ...row, node_id: nodeId, ...more }
    return { id: only(await db.insert(webs).values(values).returning()).id, name }
  }

  /** A web with a contract, a pending difference from it, and an exception. */
  async function trackingDifference() {
    const { id: web_id } = await web()
    await db.insert(trackingContracts).values({ web_id, settings: { gtm: ['GTM-ABC123'] } })
    const seen = { first_seen_at: at, first_audit_id: 1, last_seen_at: at }
    const difference = { kind: 'missing', subject: 'gtm', value: 'GTM-ABC123' } as const
    const row = { ...difference, key: 'missing gtm GTM-ABC123', expected: ['GTM-ABC123'], found: [] }
    const { id } = only(
      await db
        .insert(trackingDifferences)
        .values({ web_id, ...row, reason: 'GTM is missing', ...seen })
        .returning(),
    )
    const until = new Date(at.getTime() + 86_400_000)
    const exception = only(
      await db
        .insert(trackingExceptions)
        .values({ web_id, key: 'found gtm', until, reason: 'Agreed', created_at: at })
        .returning(),
    )
    return { web: web_id, difference: id, exception: exception.id }
  }

  async function user() {
    const name = `${next('user')}@kustos.test`
    return { id: await createUser(database, name, ['view webs']), name }
  }

  /** An open incident of a web that has a deployment. */
  async function incident() {
    const { id: web_id, name: fqdn } = await web()
    const times = { started_at: at, last_failed_at: at, watched_until: at }
    const row = only(
      await db
        .insert(incidents)
        .values({ web_id, ...times, reason: 'no answer' })
        .returning(),
    )
    const deployment = only(
      await db
        .insert(deployments)
        .values({ kind: 'backupWeb', state: 'succeeded', fqdn, web_id, created_at: at, updated_at: at })
        .returning(),
    )
    return { id: row.id, web: web_id, deployment: deployment.id }
  }

  /** A rota of the administrator, with an override. */
  async function rota() {
    const row = { name: next('rota '), handover: 'daily' as const, time: '09:00', first_day: '2026-11-01' }
    const { id, name } = only(
      await db
        .insert(rotas)
        .values({ ...row, user_ids: [adminId] })
        .returning(),
    )
    const now = new Date()
    const times = { starts_at: now, ends_at: new Date(now.getTime() + 3_600_000), created_at: now }
    const values = { rota_id: id, user_id: adminId, ...times }
    const override = only(await db.insert(rotaOverrides).values(values).returning()).id
    return { id, name, override }
  }

  return {
    db,
    incident,
    admin: await visit('admin@kustos.test'),
    adminId,
    categoryId,
    secrets,
    client,
    visit,
    web,
    trackingDifference,
    /** Another admin with their own session, for calls that end sessions. */
    async anotherAdmin() {
      const email = `${next('admin')}@kustos.test`
      const id = await createUser(database, email, 'admin')
      return { id, email, client: await visit(email) }
    },
    user,
    /** As if the user had asked for this e-mail, and received the token there. */
    async emailChange(user_id: number, email: string, token: string) {
      secrets.add(token)
      const token_hash = createHash('sha256').update(token).digest('base64url')
      const expires_at = new Date(Date.now() + 60_000)
      await db.insert(emailChanges).values({ user_id, email, token_hash, expires_at })
    },
    async role() {
      const name = next('role ')
      return { id: only(await db.insert(roles).values({ name }).returning()).id, name }
    },
    async node() {
      const name = next('node')
      return {
        id: only(await db.insert(nodes).values({ name, plesk_fqdn: 'n.plesk.test' }).returning()).id,
        name,
      }
    },
    async customer() {
      const code = next('CUSTOMER ')
      return { id: only(await db.insert(customers).values({ code }).returning()).id, code }
    },
    async tag() {
      const name = next('tag-')
      return { id: only(await db.insert(tags).values({ name }).returning()).id, name }
    },
    /** A channel of the kind mail, whose tests end at once. */
    async alertChannel() {
      await database.owner.pool.query(
        'alter table alert_channel_tests alter column ended_at set default now()',
      )
      const name = next('channel ')
      const settings = { address: 'oncall@kustos.test' }
      return only(await db.insert(alertChannels).values({ name, kind: 'mail', settings }).returning())
    },
    /** A maintenance window that covers one web. @param starts_at running unless it is in the future */
    async maintenanceWindow(starts_at = new Date(Date.now() - 60_000)) {
      const { id: web_id, name } = await web()
      const ends_at = new Date(starts_at.getTime() + 3_600_000)
      const scope = { web_ids: [web_id], node_ids: [], customers: [], tags: [] }
      const scope_id = only(await db.insert(maintenanceScopes).values(scope).returning()).id
      const row = { reason: next('reason '), scope_id, repeats: 'once' as const, starts_at, ends_at }
      const { id, reason } = only(
        await db
          .insert(maintenanceWindows)
          .values({ ...row, weekdays: [], month_days: [], planned_by: adminId })
          .returning(),
      )
      await db.insert(maintenanceOccurrences).values({ window_id: id, scope_id, starts_at, ends_at })
      return { id, reason, web_id, fqdn: name, starts_at, ends_at }
    },
    rota,
    /** A route that names a rota. */
    async alertRoute() {
      const named = await rota()
      const flags = { is_active: true, replaces_channels: false, continues: false }
      const lists = { customers: [], tags: [], node_ids: [], severities: [], weekdays: [] }
      const steps = [{ after_minutes: 0, channels: [], rotas: [named.id] }]
      const row = { name: next('route '), position: 1, ...flags, ...lists, steps }
      const { id, name } = only(await db.insert(alertRoutes).values(row).returning())
      return { id, name, rota: named }
    },
    async domain() {
      const name = `${next('domain')}.test`
      const row = { fqdn: name, fqdn_ascii: name, customer: 'ALPEN', domainprovider: 'Other' }
      return { id: only(await db.insert(externalDomains).values(row).returning()).id, name }
    },
    async watchedDomain() {
      const { name } = await this.domain()
      const row = { name, domain: name, dns_due_at: new Date() }
      return { id: only(await db.insert(watchedDomains).values(row).returning()).id, name }
    },
    async view() {
      const name = next('view ')
      const owner_id = (await user()).id
      const row = { name, owner_id, list: 'webs' as const, audience: 'everyone' as const }
      const shown = { query: '', column_order: [], column_widths: {} }
      return {
        id: only(
          await db
            .insert(views)
            .values({ ...row, ...shown })
            .returning(),
        ).id,
        name,
      }
    },
    async deployment(state: string) {
      const { id: web_id, name: fqdn } = await web()
      const row = { kind: 'backupWeb', state, fqdn, web_id, node_id: nodeId }
      const values = { ...row, created_at: at, updated_at: at }
      return { id: only(await db.insert(deployments).values(values).returning()).id }
    },
    /** With one web. @returns the id */
    async batch(state: string, { action = 'refresh', target = 'failed' } = {}): Promise<number> {
      const { id: web_id } = await web()
      const values = { action, state, requested_by: adminId, parallel: 10, stop_above: 20 }
      const { id } = only(
        await db
          .insert(batches)
          .values({ ...values, created_at: at, updated_at: at })
          .returning(),
      )
      await db.insert(batchTargets).values({ batch_id: id, position: 0, web_id, state: target })
      return id
    },
    /** Adds the current cookies to the secrets. */
    collectCookies() {
      const cookies = clients.flatMap(({ cookies }) => [...cookies.values()])
      for (const value of cookies.flatMap((cookie) => [cookie, decodeURIComponent(cookie)])) {
        secrets.add(value)
        // A signed cookie consists of the session id, a dot and the signature.
        for (const part of value.split('.')) if (part.length > 16) secrets.add(part)
      }
    },
  }
}

export function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('There is no row')
  return row
}
