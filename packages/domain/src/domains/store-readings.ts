import type { DnsType } from '@kustos/contract/domains'
import { storableJson } from '@kustos/database/storable-text'
import { type DnsState, dnsRecordSets, externalDomains, watchedDomains } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import { type AlertTools, announceDnsChanges, type DnsChange, enqueueAlerts } from '../monitoring/index.ts'
import { type AuditTransaction, type LogEntry, withAudit } from '../platform/audit.ts'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import type { Records } from './evaluate-answer.ts'
import { concernedWebs, holdBack, listUntold } from './held-changes.ts'
import { keyOf, type Lookup } from './lookups.ts'
import { type DomainOwners, findOwners, noOwners, warnedOf } from './owners.ts'

/** A stored set of records. */
export interface ReadSet extends Lookup {
  readonly id: number
  readonly records: Records
  readonly last_seen_at: Date | null
}

export interface ChangedSet extends Lookup {
  readonly records: Records
  readonly from: ReadSet
  readonly since: Date
}

/** What a reading of a name has found. */
export interface Reading {
  readonly id: number
  readonly name: string
  /** A different time in the row means that the name has become due again meanwhile, or was unlisted. */
  readonly wasDueAt: Date | null
  readonly isAlias: boolean
  readonly hasAnswer: boolean
  readonly first: readonly (Lookup & { readonly records: Records })[]
  readonly changed: readonly ChangedSet[]
  /** Changes of earlier readings that were not alerted because of maintenance. */
  readonly held: readonly ChangedSet[]
  /** Ids of current sets that are seen again, and of those that this reading has not seen. */
  readonly seen: readonly number[]
  readonly unseen: readonly number[]
  readonly failures: NonNullable<DnsState['failures']>
  readonly state: DnsState
  readonly dueAt: Date
}

/**
 * Stores readings with their history, log entries and alerts in one transaction. Names that are no longer watched are skipped.
 * @returns the number of changes
 */
export async function storeReadings(
  context: Context,
  alerts: AlertTools,
  settings: { readonly alertTypes: readonly DnsType[] },
  readings: readonly Reading[],
): Promise<number> {
  const { changed, alertIds } = await withAudit(context, async (tx) => {
    const now = tx.now()
    const rows = await tx.db
      .select({ id: watchedDomains.id, muted: watchedDomains.muted_types })
      .from(watchedDomains)
      .where(
        isAnyOf(
          watchedDomains.id,
          readings.map(({ id }) => id),
        ),
      )
      .orderBy(watchedDomains.id)
      .for('no key update')
    const mutedOf = new Map(rows.map(({ id, muted }) => [id, muted]))
    const kept = readings.filter(({ id }) => mutedOf.has(id))
    const withChanges = kept.filter(({ changed, held }) => changed.length + held.length > 0)
    const owners = await findOwners(
      tx.db,
      withChanges.map(({ id }) => id),
    )
    const listChanges = (select: (reading: Reading) => readonly ChangedSet[]): readonly Change[] =>
      withChanges.flatMap((reading) =>
        select(reading).map((set) => ({ reading, set, owners: owners.get(reading.id) ?? noOwners })),
      )
    const changes = listChanges(({ changed }) => changed)
    const untold = listChanges(listUntold).filter(
      ({ reading, set, owners: ofDomain }) =>
        settings.alertTypes.includes(set.type) &&
        !mutedOf.get(reading.id)?.includes(set.type) &&
        isOurs(reading, set, ofDomain),
    )
    const { news, held } = await holdBack(tx.db, untold, now)
    await writeSets(tx, kept, changes, news, now)
    await writeStates(tx, kept, held)
    const entries = await logEntriesOf(tx, changes)
    if (entries.length === 0) tx.skipAudit()
    else await tx.recordAll(entries)
    const alertIds = await announceDnsChanges(tx.db, news.map(toNews), { ...alerts, now })
    return { changed: changes.length, alertIds }
  })
  await enqueueAlerts(alerts, alertIds)
  return changed
}

export interface Change {
  readonly reading: Reading
  readonly set: ChangedSet
  readonly owners: DomainOwners
}

/** Addresses and aliases matter for websites only, and those behind an alias belong to the operator of its target. */
function isOurs({ isAlias }: Reading, { type }: ChangedSet, { webs }: DomainOwners): boolean {
  if (type !== 'A' && type !== 'AAAA' && type !== 'CNAME') return true
  return webs.some(({ isOfName }) => isOfName) && (type === 'CNAME' || !isAlias)
}

const toNews = ({ reading, set, owners }: Change): DnsChange => ({
  domain: reading.name,
  host: set.host,
  type: set.type,
  from: set.from.records,
  to: set.records,
  since: set.since,
  customers: owners.customers,
  channels: owners.channels,
  about: warnedOf(owners),
})

async function writeSets(
  { db }: AuditTransaction,
  readings: readonly Reading[],
  changes: readonly Change[],
  news: readonly Change[],
  now: Date,
): Promise<void> {
  const keyOfChange = ({ reading, set }: Change) => `${reading.id} ${keyOf(set)}`
  const [alerted, changed] = [new Set(news.map(keyOfChange)), new Set(changes.map(keyOfChange))]
  const lastReading = sql`(select dns_read_at from ${watchedDomains} where id = ${dnsRecordSets.watched_domain_id})`
  const lastSeen = sql`coalesce(${dnsRecordSets.last_seen_at}, ${lastReading}, ${dnsRecordSets.first_seen_at})`
  const idsOf = (of: (reading: Reading) => readonly number[]) => readings.flatMap(of)
  const ended = changes.map(({ set }) => set.from.id)
  const update = async (
    ids: readonly number[],
    values: Parameters<ReturnType<typeof db.update<typeof dnsRecordSets>>['set']>[0],
  ) => {
    if (ids.length > 0) await db.update(dnsRecordSets).set(values).where(isAnyOf(dnsRecordSets.id, ids))
  }
  await update(ended, { is_current: false, last_seen_at: lastSeen })
  await update(
    idsOf(({ unseen }) => unseen),
    { last_seen_at: lastSeen },
  )
  await update(
    idsOf(({ seen }) => seen),
    { last_seen_at: null },
  )
  const wasHeld = news.filter((change) => !changed.has(keyOfChange(change)))
  await update(
    wasHeld.map(({ set }) => set.from.id),
    { alerted_at: now },
  )
  // The triggers notify of new rows only.
  if (wasHeld.length > 0)
    await db.execute(sql`
      select pg_notify('kustos', json_build_object('list', list)::text)
      from unnest(array['domain_records', 'attention']) as shown (list)`)
  const added = [
    ...readings.flatMap(({ id, first }) =>
      first.map((set) => ({ ...set, watched_domain_id: id, first_seen_at: now, alerted_at: null })),
    ),
    ...changes.map((change) => ({
      host: change.set.host,
      type: change.set.type,
      records: change.set.records,
      watched_domain_id: change.reading.id,
      first_seen_at: change.set.since,
      alerted_at: alerted.has(keyOfChange(change)) ? now : null,
    })),
  ].map((row) => ({ ...row, records: [...row.records] }))
  for (const rows of chunk(added)) await db.insert(dnsRecordSets).values(rows)
}

/** Changed texts and mail servers may change the e-mail security. */
const concernsMail = ({ changed }: Reading) => changed.some(({ type }) => type === 'TXT' || type === 'MX')

/** @param held by the ids of names */
async function writeStates(
  { db, now }: AuditTransaction,
  readings: readonly Reading[],
  held: ReadonlyMap<number, readonly (Change & { readonly until: Date })[]>,
): Promise<void> {
  const rows = readings.map((reading) => {
    const ofName = held.get(reading.id) ?? []
    const keep = ({ set }: Change) => [keyOf(set), { records: set.from.records, since: set.since }]
    return {
      id: reading.id,
      state:
        ofName.length === 0
          ? reading.state
          : { ...reading.state, held: Object.fromEntries(ofName.map(keep)) },
      was_due_at: reading.wasDueAt,
      due_at: new Date(Math.min(...[reading.dueAt, ...ofName.map(({ until }) => until)].map(Number))),
      read_at: reading.hasAnswer ? now() : null,
      mail_due_at: concernsMail(reading) ? now() : null,
    }
  })
  await db.execute(sql`
    update ${watchedDomains} watched set
      dns_state = said.state,
      dns_due_at = case when watched.dns_due_at = said.was_due_at then said.due_at else watched.dns_due_at end,
      dns_read_at = coalesce(said.read_at, watched.dns_read_at),
      mail_due_at = case when watched.mail_due_at is null then null else coalesce(said.mail_due_at, watched.mail_due_at) end
    from json_to_recordset(${storableJson(rows)}::json)
      as said(id int, state jsonb, was_due_at timestamptz, due_at timestamptz, read_at timestamptz, mail_due_at timestamptz)
    where watched.id = said.id`)
}

/** An entry for each website that a change concerns, otherwise one for the domain. */
async function logEntriesOf(
  { db }: AuditTransaction,
  changes: readonly Change[],
): Promise<readonly LogEntry[]> {
  if (changes.length === 0) return []
  const names = [...new Set(changes.map(({ reading }) => reading.name))]
  const external = await db
    .select({ id: externalDomains.id, name: externalDomains.fqdn_ascii })
    .from(externalDomains)
    .where(sql`${externalDomains.fqdn_ascii} = any(${sql.param(names)}::text[])`)
  const idOf = new Map(external.map(({ id, name }) => [name, id]))
  return changes.flatMap(({ reading, set, owners }) => {
    const { host, type } = set
    const entry = {
      log: 'domains',
      description: 'dns changed',
      attributes: { fqdn: reading.name, host, type, records: set.records },
      old: { records: set.from.records },
    } as const
    const concerned = concernedWebs(owners, set)
    if (concerned.length > 0) return concerned.map(({ id }) => ({ ...entry, subject: { type: 'web', id } }))
    const externalId = idOf.get(reading.name)
    const subject =
      externalId === undefined
        ? { type: 'domain', id: reading.id }
        : { type: 'external_domain', id: externalId }
    return [{ ...entry, subject }]
  })
}
