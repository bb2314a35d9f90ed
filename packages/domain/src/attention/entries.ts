import type { AttentionKind, EntryKey } from '@kustos/contract/attention'
import { attentionHandling } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { isAcknowledgedAt, isSnoozedAt } from '../platform/handling-state.ts'
import { expiringCertificates, failingIpv6, wrongCertificates } from './certificate-entries.ts'
import { refusingChannels } from './channel-entries.ts'
import { failedDeployments, stuckDeployments } from './deployment-entries.ts'
import { changedDns, expiringDomains, expiringExternalDomains } from './domain-entries.ts'
import { trackingDrifts } from './drift-entries.ts'
import { type EntryScope, time } from './entry-sql.ts'
import { ownShifts, unstaffedRotas } from './rota-entries.ts'
import { failingNodeSyncs, failingRegistrarSync, failingRepositorySync } from './sync-entries.ts'
import { enteredViews } from './view-entries.ts'
import { downWebs, stoppedMonitoring, trackingWithoutConsent, unsupportedFrameworks } from './web-entries.ts'

const queries: Readonly<Record<AttentionKind, (scope: EntryScope) => SQL>> = {
  monitoring_stopped: stoppedMonitoring,
  web_down: downWebs,
  alert_channel_refusing: refusingChannels,
  rota_unstaffed: unstaffedRotas,
  deployment_stuck: stuckDeployments,
  deployment_failed: failedDeployments,
  tracking_without_consent: trackingWithoutConsent,
  tracking_drift: trackingDrifts,
  certificate_wrong: wrongCertificates,
  certificate_expiring: expiringCertificates,
  ipv6_failing: failingIpv6,
  domain_expiring: expiringDomains,
  external_domain_expiring: expiringExternalDomains,
  dns_changed: changedDns,
  registrar_sync_failing: failingRegistrarSync,
  repository_sync_failing: failingRepositorySync,
  node_sync_failing: failingNodeSyncs,
  framework_unsupported: unsupportedFrameworks,
  on_call: ownShifts,
  view_entered: enteredViews,
}

/**
 * The definition of the table `handled` of a `with` clause: the entries of these kinds with what users have done about them, and
 * their state. Those that will be due within a day are `upcoming`.
 */
export const entryTable = (kinds: readonly AttentionKind[], scope: EntryScope): SQL => sql`
  handled as materialized (
    select e.*, h.acknowledged_at, h.acknowledged_by, h.assigned_to, h.snoozed_until, h.snoozed_by, h.note, h.updated_at,
      case
        when e.due_at > ${time(scope.now)} then 'upcoming'
        when ${isSnoozedAt(scope.now)} then 'snoozed'
        when ${isAcknowledgedAt(scope.now)} then 'acknowledged'
        else 'open'
      end as state
    from (
      ${sql.join(
        kinds.map((kind) => sql`(${queries[kind](scope)})`),
        sql` union all `,
      )}
    ) e
    left join ${attentionHandling} h on h.kind = e.kind and h.subject_id = e.subject_id and h.since = e.since
  )`

/** Whether a row is the entry, or with `group` one that the same outage explains. */
export const isEntry = ({ kind, subject, since }: EntryKey): SQL =>
  sql`(kind = ${kind} and subject_id = ${subject} and since = ${time(since)})`
