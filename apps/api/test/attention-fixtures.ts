import type { AttentionKind } from '@kustos/contract/attention'
import {
  alertChannelStates,
  alertChannels,
  deployments,
  dnsRecordSets,
  incidents,
  inspections,
  nodes,
  ownDomains,
  probeRounds,
  registrarSyncs,
  repositorySyncs,
  rotas,
  trackingDifferences,
  trackingViolations,
  watchedDomains,
  webCertificates,
  webs,
} from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { inArray } from 'drizzle-orm'
import { only } from './logged-fixtures.ts'

export type SharedKind = Exclude<AttentionKind, 'view_entered' | 'on_call'>

export const start = new Date('2026-11-20T10:00:00Z')
export const minutesAgo = (minutes: number, from = start) => new Date(from.getTime() - minutes * 60_000)
export const inDays = (days: number) => minutesAgo(-days * 24 * 60)

/** Inserts what needs attention. */
export function attentionFixtures({ db }: TestDatabase) {
  let counter = 0

  async function insertWeb(more: Partial<typeof webs.$inferInsert> = {}) {
    const fqdn = `web${++counter}.test`
    const row = { fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.7' }
    const values = { ...row, status: 0, domain_status: 1, ...more }
    return only(await db.insert(webs).values(values).returning())
  }

  async function insertDownWeb(more: Partial<typeof webs.$inferInsert> = {}, startedAt = minutesAgo(7)) {
    const web = await insertWeb({ down_since: startedAt, ...more })
    const incident = await insertIncident(web.id, startedAt)
    return { ...web, incident }
  }

  async function insertIncident(web_id: number, started_at: Date): Promise<number> {
    const row = { web_id, started_at, last_failed_at: minutesAgo(1), watched_until: start }
    const reason = { reason: 'the connection was refused', reason_code: 'connection_refused' }
    return only(
      await db
        .insert(incidents)
        .values({ ...row, ...reason })
        .returning(),
    ).id
  }

  /** The outage of a node, with these incidents as its members. */
  async function insertOutage(node_id: number, members: readonly number[], started_at = minutesAgo(7)) {
    const row = { node_id, started_at, last_failed_at: minutesAgo(1), watched_until: start }
    const reason = { reason: 'the connection was refused', reason_code: 'connection_refused' }
    const { id } = only(
      await db
        .insert(incidents)
        .values({ ...row, ...reason })
        .returning(),
    )
    await db
      .update(incidents)
      .set({ outage_id: id })
      .where(inArray(incidents.id, [...members]))
    return id
  }

  async function insertCertificate(web: number, more: Partial<typeof webCertificates.$inferInsert>) {
    await db.insert(webCertificates).values({
      web_id: web,
      name: `alias${web}.test`,
      kind: 'alias',
      checked_at: minutesAgo(5),
      state: 'valid',
      ipv6: 'none',
      ...more,
    })
  }

  async function insertNode(name: string) {
    return only(
      await db
        .insert(nodes)
        .values({ name, plesk_fqdn: `${name}.plesk.test`, cloud_enabled: true })
        .returning(),
    ).id
  }

  async function insertDeployment(more: Partial<typeof deployments.$inferInsert>) {
    const { id: web_id, fqdn } = await insertWeb()
    const row = { kind: 'backupWeb', fqdn, web_id, created_at: minutesAgo(90), updated_at: minutesAgo(80) }
    return only(
      await db
        .insert(deployments)
        .values({ ...row, ...more })
        .returning(),
    ).id
  }

  async function insertRound(at: Date, state = 'known') {
    await db
      .insert(probeRounds)
      .values({ round_at: at, interval_seconds: 60, shards: 1, judged_at: at, state, probes: 3, failures: 0 })
      .onConflictDoNothing()
  }

  /** One entry of each kind that is not personal. @returns the subject that the list names */
  async function insertOneOfEach(): Promise<Readonly<Record<SharedKind, string | null>>> {
    const node = await insertNode('n7')
    await insertRound(minutesAgo(30))
    const down = await insertDownWeb()
    await insertDeployment({ state: 'waiting' })
    const waiting = `web${counter}.test`
    await insertDeployment({ state: 'failed', ended_at: minutesAgo(60), error: 'It failed.' })
    const failed = `web${counter}.test`
    const tracked = await insertWeb()
    await db
      .insert(trackingViolations)
      .values({ web_id: tracked.id, since: minutesAgo(600), services: ['googleanalytics'] })
    const drifted = await insertWeb()
    await db.insert(trackingDifferences).values({
      web_id: drifted.id,
      key: 'missing gtm GTM-ABC123',
      kind: 'missing',
      subject: 'gtm',
      expected: ['GTM-ABC123'],
      found: [],
      reason: 'Google Tag Manager is missing (agreed: GTM-ABC123)',
      first_seen_at: minutesAgo(30),
      first_audit_id: 1,
      last_seen_at: minutesAgo(10),
      confirmed_at: minutesAgo(10),
    })
    const certificate = await insertWeb({ cert_expiration: inDays(3) })
    const wrong = await insertWeb()
    await insertCertificate(wrong.id, { state: 'wrong_name', wrong_since: minutesAgo(5) })
    const overIpv6 = await insertWeb()
    await insertCertificate(overIpv6.id, { ipv6: 'failing', ipv6_since: minutesAgo(5) })
    const framework = await insertWeb({ framework_name: 'TYPO3', framework_version: '8.7.32' })
    await db
      .insert(ownDomains)
      .values({ customer: 'ALPEN', fqdn: 'alpen.test', fqdn_ascii: 'alpen.test', expires_at: inDays(9) })
    const watched = {
      name: 'elsewhere.test',
      domain: 'elsewhere.test',
      dns_due_at: start,
      expires_at: inDays(9),
    }
    const unlisted = {
      name: 'unlisted.test',
      domain: 'unlisted.test',
      dns_due_at: null,
      unlisted_since: start,
    }
    await db.insert(watchedDomains).values([watched, { ...watched, ...unlisted }])
    const host = { name: framework.fqdn, domain: framework.fqdn, dns_due_at: start }
    const ofWeb = only(await db.insert(watchedDomains).values(host).returning())
    await db.insert(dnsRecordSets).values({
      watched_domain_id: ofWeb.id,
      host: framework.fqdn,
      type: 'NS',
      records: ['ns.test'],
      first_seen_at: minutesAgo(20),
      alerted_at: minutesAgo(10),
    })
    const failing = { failed_at: minutesAgo(1), failing_since: minutesAgo(40), error: 'It does not respond.' }
    await db.insert(registrarSyncs).values({ id: 1, ...failing })
    await db.insert(repositorySyncs).values({ id: 1, ...failing })
    const channel = only(
      await db.insert(alertChannels).values({ name: 'On call', kind: 'teams', settings: {} }).returning(),
    )
    const refusing = {
      channel_id: channel.id,
      refusing_since: minutesAgo(7),
      error: 'Teams refuses the message (404).',
    }
    await db.insert(alertChannelStates).values(refusing)
    await db.insert(inspections).values({
      node_id: node,
      kind: 'discovery',
      state: 'failed',
      problems: ['n7 does not respond.'],
      created_at: minutesAgo(61),
      ended_at: minutesAgo(60),
    })
    const rota = { handover: 'daily', time: '09:00', first_day: '2026-11-01' } as const
    await db.insert(rotas).values({ ...rota, name: 'Night', user_ids: [], noticed_since: minutesAgo(50) })
    return {
      monitoring_stopped: null,
      web_down: down.fqdn,
      alert_channel_refusing: 'On call',
      deployment_stuck: waiting,
      deployment_failed: failed,
      tracking_without_consent: tracked.fqdn,
      tracking_drift: drifted.fqdn,
      certificate_wrong: wrong.fqdn,
      certificate_expiring: certificate.fqdn,
      ipv6_failing: overIpv6.fqdn,
      domain_expiring: 'alpen.test',
      external_domain_expiring: 'elsewhere.test',
      dns_changed: framework.fqdn,
      rota_unstaffed: 'Night',
      registrar_sync_failing: null,
      repository_sync_failing: null,
      node_sync_failing: 'n7',
      framework_unsupported: framework.fqdn,
    }
  }

  return {
    insertWeb,
    insertDownWeb,
    insertIncident,
    insertOutage,
    insertNode,
    insertCertificate,
    insertDeployment,
    insertRound,
    insertOneOfEach,
  }
}
