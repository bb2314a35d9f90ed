import type { IncidentKind } from '@kustos/contract/monitoring'
import type { Transaction } from '@kustos/database/client'
import { channelIncidents, channelOpenings, incidents, nodes, webs } from '@kustos/database/tables'
import { and, asc, count, desc, eq, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
import { chunk } from '../../platform/chunk.ts'
import type { Context } from '../../platform/context.ts'
import { isHandledAt } from '../../platform/handling-state.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'

/** Of the alert of an incident alone. */
export const keyOf = (incident: number) => `kustos-incident-${incident}`

const storedKey = sql<string>`coalesce(${channelIncidents.key}, 'kustos-incident-' || ${channelIncidents.incident_id})`
const hasKey = (channel: number, key: string) =>
  and(eq(channelIncidents.channel_id, channel), sql`${storedKey} = ${key}`)

const isHandled = (
  now: Date,
) => sql<boolean>`exists (select 1 from attention_handling h where h.kind = 'web_down'
  and h.subject_id = ${incidents.web_id} and h.since = ${incidents.started_at} and ${isHandledAt(now)})`

/** The incident of a moved domain, `i`, that has taken the place of `old`, and that was not announced to the channel. */
const isSuccessor = (channel: number) => sql`
  i.web_id = old.web_id and i.kind = 'moved' and i.ended_at is null and i.alerted_at = old.alerted_at
  and old.kind <> 'moved' and old.ended_at is not null
  and not exists (select from ${channelIncidents} other where other.channel_id = ${channel} and other.incident_id = i.id)`

/**
 * Moves what was announced of an incident to the one that has replaced it (`applyDomainMoves`), also where it was stored after that
 * because the answer came late.
 */
export async function moveToSuccessors(db: Transaction, channel: number): Promise<void> {
  await db.execute(sql`
    update ${channelIncidents} announced set incident_id = i.id, key = coalesce(announced.key, 'kustos-incident-' || old.id)
    from ${incidents} old join ${incidents} i on ${isSuccessor(channel)}
    where announced.channel_id = ${channel} and announced.incident_id = old.id`)
}

/** An incident, and what was announced of it to a channel. */
export type KnownIncident = Awaited<ReturnType<typeof readKnownIncidents>>[number]

export async function readKnownIncidents(
  { db, now }: Pick<Context, 'db' | 'now'>,
  channel: number,
  which: SQL | undefined,
) {
  const rows = await db
    .select({
      incident: incidents,
      fqdn: webs.fqdn,
      customer: webs.customer,
      node: nodes.name,
      announced: channelIncidents,
      isHandled: isHandled(now()),
      /** Whether it was replaced after `moveToSuccessors`, which does the rest the next time. */
      isReplaced: sql<boolean>`exists (
        select from ${incidents} old join ${incidents} i on ${isSuccessor(channel)} where old.id = ${incidents.id})`,
    })
    .from(incidents)
    .innerJoin(webs, eq(webs.id, incidents.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .leftJoin(
      channelIncidents,
      and(eq(channelIncidents.incident_id, incidents.id), eq(channelIncidents.channel_id, channel)),
    )
    .where(which)
    .orderBy(asc(incidents.id))
  return rows.map(({ announced, ...row }) => ({
    ...row,
    /** As it was announced. */
    kind: row.incident.alerted_kind ?? row.incident.kind,
    announced: announced === null ? null : { ...announced, key: announced.key ?? keyOf(row.incident.id) },
  }))
}

/** The keys of the alerts of outages, by outage and kind. */
export async function readKeys(
  db: Transaction,
  channel: number,
  outages: readonly number[],
): Promise<Map<string, string>> {
  if (outages.length === 0) return new Map()
  const rows = await db
    .select({ outage: incidents.outage_id, kind: channelIncidents.kind, key: storedKey })
    .from(channelIncidents)
    .innerJoin(incidents, eq(incidents.id, channelIncidents.incident_id))
    .where(
      and(
        eq(channelIncidents.channel_id, channel),
        isAnyOf(incidents.outage_id, outages),
        isNull(incidents.ended_at),
      ),
    )
    // Of several alerts that of the first incident counts.
    .orderBy(desc(incidents.id))
  return new Map(rows.map(({ outage, kind, key }) => [`${outage} ${kind}`, key]))
}

/** Whether incidents of an alert are open, and whether somebody handles all of these. */
export async function readOpenIncidents(
  { db, now }: Pick<Context, 'db' | 'now'>,
  channel: number,
  key: string,
  except: readonly number[] = [],
): Promise<{ readonly hasOpen: boolean; readonly areHandled: boolean }> {
  const [open] = await db
    .select({ number: count(), areHandled: sql<boolean | null>`bool_and(${isHandled(now())})` })
    .from(channelIncidents)
    .innerJoin(incidents, eq(incidents.id, channelIncidents.incident_id))
    .where(and(hasKey(channel, key), isNull(incidents.ended_at), not(isAnyOf(incidents.id, except))))
  return { hasOpen: open !== undefined && open.number > 0, areHandled: open?.areHandled ?? false }
}

interface Announced {
  readonly state: 'triggered' | 'acknowledged'
  readonly kind: IncidentKind
  readonly key: string
}

export async function storeAnnounced(
  context: Context,
  channel: number,
  ids: readonly number[],
  announced: Announced,
): Promise<void> {
  const values = { ...announced, changed_at: context.now() }
  for (const some of chunk(ids))
    await context.db
      .insert(channelIncidents)
      .values(some.map((incident) => ({ channel_id: channel, incident_id: incident, ...values })))
      .onConflictDoUpdate({
        target: [channelIncidents.channel_id, channelIncidents.incident_id],
        set: values,
      })
}

/** Has to be stored before an alert is opened, and deleted once it is known whether it is open. */
export const storeOpening = ({ db, now }: Context, channel: number, key: string, ids: readonly number[]) => {
  const values = { incident_ids: [...ids], opened_at: now() }
  return db
    .insert(channelOpenings)
    .values({ channel_id: channel, key, ...values })
    .onConflictDoUpdate({ target: [channelOpenings.channel_id, channelOpenings.key], set: values })
}

export const deleteOpening = (db: Transaction, channel: number, key: string) =>
  db.delete(channelOpenings).where(and(eq(channelOpenings.channel_id, channel), eq(channelOpenings.key, key)))

/** No process takes this long to open an alert. */
const openingMs = 5 * 60_000

/** The keys of openings that a process has left, and whose incidents are over: nobody opens their alerts any more. */
export async function readLeftOpenings({ db, now }: Context, channel: number): Promise<readonly string[]> {
  const rows = await db
    .select({ key: channelOpenings.key })
    .from(channelOpenings)
    .where(
      and(
        eq(channelOpenings.channel_id, channel),
        lt(channelOpenings.opened_at, new Date(now().getTime() - openingMs)),
        sql`not exists (
          select from ${incidents} i where i.id = any(${channelOpenings.incident_ids}) and i.ended_at is null)`,
      ),
    )
    .orderBy(asc(channelOpenings.key))
  return rows.map(({ key }) => key)
}

export const storeAcknowledged = ({ db, now }: Context, channel: number, key: string) =>
  db.update(channelIncidents).set({ state: 'acknowledged', changed_at: now() }).where(hasKey(channel, key))

/** Of an alert that is resolved. */
export const deleteEndedIncidents = (db: Transaction, channel: number, key: string) =>
  db.delete(channelIncidents).where(
    and(
      hasKey(channel, key),
      sql`not exists (
        select from ${incidents} i where i.id = ${channelIncidents.incident_id} and i.ended_at is null)`,
    ),
  )
