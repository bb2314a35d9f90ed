import type { InspectionReason, WebInspectionKind } from '@kustos/contract/inspections'
import { webStatus } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import {
  dnsRecordSets,
  domainMoves,
  inspections,
  watchedDomains,
  webFacts,
  webs,
} from '@kustos/database/tables'
import {
  and,
  asc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  not,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { isProvisioning } from '../deployment/index.ts'
import { listedWebs, nightOf } from '../monitoring/index.ts'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { enqueueInspections, type InspectionTools, isUnderWay, type RequestedInspection } from './jobs.ts'

const hourMs = 3_600_000
const newWebMs = 24 * hourMs
const minuteMs = 60_000
/** The schedule runs once a minute, also in a night of three hours. The rest of a night is left for failures. */
const spareRuns = 20

/**
 * Requests some of the nightly refreshes, node by node, so that only one node is busy with them at a time. No web is
 * refreshed twice in a night.
 *
 * During the day it requests refreshes of new webs, which are neither monitored nor audited before their domain status is
 * known. Monitored webs whose domain has moved away are refreshed every hour, so that its return is noticed, webs whose
 * addresses have changed at once, so that a move is noticed, and renamed ones at once, since their status is that of the former
 * name.
 */
export function scheduleRefreshes(context: Context, tools: InspectionTools) {
  const now = context.now()
  const night = nightOf(now)
  const isNight = now.getTime() >= night.from && now.getTime() < night.to
  const runs = (night.to - night.from) / minuteMs - spareRuns
  const begin = isNight ? night.from : now.getTime() - newWebMs
  const active = isNull(webs.deleted_at)
  const hourAgo = new Date(now.getTime() - hourMs)
  return schedule(context, tools, 'refresh', async (db) => {
    const refreshedSince = (since: Date) =>
      selectInspections(db, 'refresh', gte(inspections.created_at, since))
    const isMoved = and(
      eq(webs.monitoring_web_active, true),
      eq(webs.status, webStatus.active),
      inArray(webs.id, db.select({ id: domainMoves.web_id }).from(domainMoves)),
      notExists(refreshedSince(hourAgo)),
    )
    const isUrgent = or(isMoved, hasNewAddress(now), isRenamed(db, now))
    return db
      .select({ id: webs.id, fqdn: webs.fqdn })
      .from(webs)
      .where(
        and(
          active,
          or(and(notExists(refreshedSince(new Date(begin))), isNight ? undefined : isNew(now)), isUrgent),
        ),
      )
      .orderBy(sql`${isUrgent} desc`, sql`${webs.node_id} nulls last`, asc(webs.id))
      .limit(Math.ceil((await db.$count(webs, active)) / runs))
  })
}

/** Its name has had other addresses for at most a day, and no refresh since then. */
function hasNewAddress(now: Date): SQL {
  const dayAgo = new Date(now.getTime() - 24 * hourMs)
  const changes = sql`${dnsRecordSets} before
    join ${dnsRecordSets} current on current.watched_domain_id = before.watched_domain_id and current.host = before.host
      and current.type = before.type and current.is_current
    join ${watchedDomains} watched on watched.id = before.watched_domain_id and watched.name = before.host
    where not before.is_current and before.last_seen_at > ${dayAgo.toISOString()}::timestamptz
      and before.type in ('A', 'AAAA', 'CNAME')`
  return sql`(${webs.fqdn_ascii} in (select watched.name from ${changes}) and exists (
    select from ${changes} and watched.name = ${webs.fqdn_ascii} and not exists (
      select from ${inspections} i where i.web_id = ${webs.id} and i.kind = 'refresh' and i.created_at >= current.first_seen_at)))`
}

/** Changed by a user at most a day ago, and not refreshed since, nor seen where its present name points to. */
function isRenamed(db: Transaction, now: Date): SQL | undefined {
  const unseen = db
    .select({ id: webFacts.web_id })
    .from(webFacts)
    .where(and(eq(webFacts.web_id, webs.id), eq(webFacts.fact, 'dns'), isNull(webFacts.seen_at)))
  return and(
    gte(webs.updated_at, new Date(now.getTime() - 24 * hourMs)),
    exists(unseen),
    notExists(selectInspections(db, 'refresh', gte(inspections.created_at, webs.updated_at))),
  )
}

/** Webs that users have added have no status until Plesk reports it, like those that are still being provisioned. */
const isNew = (now: Date) =>
  and(
    or(eq(webs.status, webStatus.active), and(isNull(webs.status), not(isProvisioning))),
    isNull(webs.domain_status),
    gte(webs.created_at, new Date(now.getTime() - newWebMs)),
  )

const auditIntervalMs = 24 * hourMs
/** The first audits are spread over half a day. */
const auditRuns = 720
/** After an audit that ended without a result, as when its worker died. */
const retryIntervalMs = hourMs

/**
 * Requests some of the tracking audits that are due, so that they stay spread over the day.
 * @param internalMarker the part of a host name that marks the operator's own; empty for none
 */
export function scheduleAudits(context: Context, tools: InspectionTools, internalMarker: string) {
  const now = context.now().getTime()
  const listed = listedWebs(internalMarker)
  return schedule(context, tools, 'tracking', async (db) => {
    const isRecent = gt(inspections.created_at, new Date(now - retryIntervalMs))
    const requested = selectInspections(db, 'tracking', or(isUnderWay, isRecent))
    const isDue = or(isNull(webFacts.tried_at), lt(webFacts.tried_at, new Date(now - auditIntervalMs)))
    return db
      .select({ id: webs.id, fqdn: webs.fqdn })
      .from(webs)
      .leftJoin(webFacts, and(eq(webFacts.web_id, webs.id), eq(webFacts.fact, 'tracking')))
      .where(and(listed, notExists(requested), isDue))
      .orderBy(sql`${webFacts.tried_at} nulls first`, asc(webs.id))
      .limit(Math.ceil((await db.$count(webs, listed)) / auditRuns))
  })
}

const selectInspections = (db: Transaction, kind: WebInspectionKind, which: SQL | undefined) =>
  db
    .select({ id: inspections.id })
    .from(inspections)
    .where(and(eq(inspections.web_id, webs.id), eq(inspections.kind, kind), which))

/** Inserts inspections of webs, without those of which one is waiting or running, to be enqueued after the commit. */
export async function insertInspections(
  db: Transaction,
  kind: WebInspectionKind,
  subjects: readonly { readonly id: number; readonly fqdn: string }[],
  now: Date,
  reason: InspectionReason | null = null,
): Promise<RequestedInspection[]> {
  const names = new Map(subjects.map(({ id, fqdn }) => [id, fqdn]))
  const requested: RequestedInspection[] = []
  for (const batch of chunk(subjects)) {
    const rows = await db
      .insert(inspections)
      .values(batch.map(({ id }) => ({ web_id: id, kind, reason, created_at: now })))
      .onConflictDoNothing()
      .returning({ id: inspections.id, web_id: inspections.web_id })
    requested.push(...rows.map((row) => ({ ...row, kind, fqdn: names.get(row.web_id ?? 0) ?? '' })))
  }
  return requested
}

/** Requests inspections of the webs that are due, without those of which one is waiting or running. */
async function schedule(
  context: Context,
  tools: InspectionTools,
  kind: WebInspectionKind,
  findDue: (db: Transaction) => Promise<{ id: number; fqdn: string }[]>,
): Promise<{ readonly requested: number } | null> {
  const requested = await context.db.transaction(async (db): Promise<RequestedInspection[]> => {
    await lockInTransaction(db, kind === 'refresh' ? 'refreshes' : 'audits')
    const due = await findDue(db)
    if (due.length === 0) return []
    return insertInspections(db, kind, due, context.now())
  })
  await enqueueInspections(tools, requested)
  return requested.length === 0 ? null : { requested: requested.length }
}
