import type { Dns } from '@kustos/clients/dns'
import type { DnsType, MailSafety } from '@kustos/contract/domains'
import { dnsRecordSets, watchedDomains } from '@kustos/database/tables'
import { and, asc, count, lte } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { AlertTools } from '../monitoring/index.ts'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { evaluateName, readingIntervalMs } from './evaluate-name.ts'
import { confirmRecords, keyOf, lookUpName } from './lookups.ts'
import { type ReadSet, storeReadings } from './store-readings.ts'

export interface RecordSettings {
  /** Types whose changes are alerted unless a domain mutes them. */
  readonly alertTypes: readonly DnsType[]
}

export interface RecordCounts {
  readonly checked: number
  readonly changed: number
  /** Lookups without an answer. */
  readonly unknown: number
}

const concurrency = 16
/** Names whose readings are stored together. */
const batchSize = 200
/** The period of {@link checkDueRecords}. */
export const recordsIntervalMs = 60_000

/**
 * Reads the DNS records of names that are due, an hour after their last reading and ten minutes after one that saw a change. A run
 * reads a share of all names, so that they stay spread over the hour.
 * @returns null if nothing was due
 */
export async function checkDueRecords(
  context: Context,
  { dns, alerts }: { readonly dns: Dns; readonly alerts: AlertTools },
  settings: RecordSettings,
  signal: AbortSignal,
): Promise<RecordCounts | null> {
  const { db, now } = context
  const [all] = await db.select({ names: count() }).from(watchedDomains)
  // New names are read at once.
  const most = 200 + Math.ceil(((all?.names ?? 0) * recordsIntervalMs * 2) / readingIntervalMs)
  const due = await db
    .select({
      id: watchedDomains.id,
      name: watchedDomains.name,
      domain: watchedDomains.domain,
      wasDueAt: watchedDomains.dns_due_at,
      state: watchedDomains.dns_state,
      mail: watchedDomains.mail,
    })
    .from(watchedDomains)
    .where(lte(watchedDomains.dns_due_at, now()))
    .orderBy(asc(watchedDomains.dns_due_at))
    .limit(most)
  if (due.length === 0) return null
  const limit = pLimit(concurrency)
  const sum = { checked: due.length, changed: 0, unknown: 0 }
  for (const batch of chunk(due, batchSize)) {
    const current = await readCurrentSets(
      context,
      batch.map(({ id }) => id),
    )
    const readings = await Promise.all(
      batch.map((row) =>
        limit(async () => {
          const sets = current.get(row.id) ?? new Map<string, ReadSet>()
          const selectors = listSelectors(row, [...sets.values()])
          const results = await lookUpName(dns, { ...row, selectors }, signal)
          return evaluateName(row, results, sets, {
            now: now(),
            confirm: (result) => confirmRecords(dns, result, signal),
          })
        }),
      ),
    )
    sum.changed += await storeReadings(context, alerts, settings, readings)
    sum.unknown += readings.flatMap(({ failures }) => Object.keys(failures)).length
  }
  return sum
}

/**
 * The DKIM selectors that had a key at the last check of the e-mail security, and those of which a key is stored: that check may have
 * noticed first that it is gone, or could not look it up.
 */
function listSelectors(
  { name, mail }: { readonly name: string; readonly mail: MailSafety | null },
  sets: readonly ReadSet[],
): readonly string[] {
  const below = `._domainkey.${name}`
  const stored = sets.flatMap(({ host, records }) =>
    host.endsWith(below) && records.length > 0 ? [host.slice(0, -below.length)] : [],
  )
  return [...new Set([...(mail?.dkim ?? []).map(({ selector }) => selector), ...stored])]
}

/** By domain, then by host and type. */
async function readCurrentSets({ db }: Context, ids: readonly number[]) {
  const { id, watched_domain_id, host, type, records, last_seen_at } = dnsRecordSets
  const rows = await db
    .select({ id, watched_domain_id, host, type, records, last_seen_at })
    .from(dnsRecordSets)
    .where(and(isAnyOf(watched_domain_id, ids), dnsRecordSets.is_current))
  const sets = new Map<number, Map<string, ReadSet>>()
  for (const { watched_domain_id: owner, ...row } of rows) {
    const set = { ...row, type: row.type as DnsType }
    const ofOwner = sets.get(owner) ?? new Map<string, ReadSet>()
    sets.set(owner, ofOwner.set(keyOf(set), set))
  }
  return sets
}
