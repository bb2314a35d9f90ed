import type { Rdap, RdapResult } from '@kustos/clients/rdap'
import { type Message, message } from '@kustos/contract/messages'
import { rdapServers, watchedDomains } from '@kustos/database/tables'
import { asc, eq, lte, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { Context } from '../platform/context.ts'
import { storedMessage } from '../platform/stored-message.ts'

export interface ExpiryCounts {
  readonly checked: number
  /** Lookups without an answer. */
  readonly unknown: number
}

interface DueDomain {
  readonly id: number
  readonly name: string
  readonly failures: number
  readonly expires_at: Date | null
  /** Why the last lookup has found no end. */
  readonly error: string | null
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Between two lookups at a server, whatever the number of workers. */
export const serverSpacingMs = 10_000
/** Servers that are asked at the same time. */
const concurrency = 8
/** Domains of a suffix that are read at once. A server is asked for one, but those without a server are stored together. */
const maxOfSuffix = 100

/**
 * Looks up registrations that are due: at most one at each server, and none at a server that was asked less than ten seconds
 * ago or that asked for a longer pause.
 * @returns null if nothing was due
 */
export async function lookUpDueExpiries(
  context: Context,
  rdap: Rdap,
  signal: AbortSignal,
): Promise<ExpiryCounts | null> {
  const due = await readDue(context)
  if (due.length === 0) return null
  const byServer = Map.groupBy(due, ({ name }) => rdap.serverOf(name))
  const withoutServer = byServer.get(null) ?? []
  await storeMissing(context, withoutServer)
  const servers = [...byServer].flatMap(([server, [first]]) =>
    server && first ? [{ server, domain: first }] : [],
  )
  const free = await reserve(
    context,
    servers.map(({ server }) => server),
  )
  const asked = servers.filter(({ server }) => free.has(server))
  const limit = pLimit(concurrency)
  const results = await Promise.all(
    asked.map(({ server, domain }) =>
      limit(async () => {
        const result = await rdap.lookUp(domain.name, signal)
        await store(context, server, domain, result)
        return result
      }),
    ),
  )
  const checked = results.length + withoutServer.length
  if (checked === 0) return null
  return { checked, unknown: results.filter(({ outcome }) => outcome === 'failed').length }
}

/** Those that are due longest, of each suffix by itself: one registry with many, or that has to be left alone, delays no other. */
function readDue({ db, now }: Context): Promise<DueDomain[]> {
  const { id, name, expiry_failures, expiry_due_at, expires_at, expiry_error_code } = watchedDomains
  const suffix = sql`substr(${name}, strpos(${name}, '.') + 1)`
  const place = sql<number>`row_number() over (partition by ${suffix} order by ${expiry_due_at})`
  const due = db
    .select({
      id,
      name,
      failures: expiry_failures,
      expires_at,
      error: expiry_error_code,
      due_at: expiry_due_at,
      place: place.as('place'),
    })
    .from(watchedDomains)
    .where(lte(expiry_due_at, now()))
    .as('due')
  return db
    .select({
      id: due.id,
      name: due.name,
      failures: due.failures,
      expires_at: due.expires_at,
      error: due.error,
    })
    .from(due)
    .where(lte(due.place, maxOfSuffix))
    .orderBy(asc(due.due_at))
}

/** Takes servers that may be asked, before they are, so that a worker that dies does not ask them twice. */
async function reserve(context: Context, servers: readonly string[]): Promise<ReadonlySet<string>> {
  if (servers.length === 0) return new Set()
  const now = context.now()
  return context.db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    const until = new Date(now.getTime() + serverSpacingMs)
    const { rows } = await tx.execute<{ server: string }>(sql`
      insert into ${rdapServers} (server, free_at)
      select server, ${until.toISOString()}::timestamptz from unnest(${sql.param(servers)}::text[]) as asked (server)
      on conflict (server) do update set free_at = excluded.free_at
        where rdap_servers.free_at <= ${now.toISOString()}::timestamptz
      returning server`)
    return new Set(rows.map(({ server }) => server))
  })
}

/** Registries without RDAP may have one with the next release, or in another bootstrap file. */
async function storeMissing(context: Context, domains: readonly DueDomain[]): Promise<void> {
  if (domains.length === 0) return
  const now = context.now()
  const error = storedMessage('expiry_error', message('rdap_no_server'))
  await context.db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    await tx
      .update(watchedDomains)
      .set({
        ...error,
        expires_at: null,
        registrar: null,
        expiry_failures: 0,
        expiry_checked_at: now,
        expiry_due_at: new Date(now.getTime() + 30 * dayMs),
      })
      .where(sql`${watchedDomains.id} = any(${sql.param(domains.map(({ id }) => id))}::int[])`)
  })
}

async function store(context: Context, server: string, domain: DueDomain, result: RdapResult): Promise<void> {
  const now = context.now()
  const later = (ms: number) => new Date(now.getTime() + ms)
  await context.db.transaction(async (tx) => {
    await context.assertLease?.(tx)
    const pauseMs = pauseOf(result)
    await tx
      .update(rdapServers)
      .set(
        pauseMs === null
          ? { failures: 0 }
          : {
              // Doubled with each failure in a row, up to an hour, unless the server asks for more.
              free_at: sql`${now.toISOString()}::timestamptz + greatest(
                ${pauseMs} * interval '1 millisecond',
                least(60 * power(2, least(${rdapServers.failures}, 10)), 3600) * interval '1 second')`,
              failures: sql`${rdapServers.failures} + 1`,
            },
      )
      .where(eq(rdapServers.server, server))
    const { dueInMs, columns } = columnsOf(domain, result, now)
    await tx
      .update(watchedDomains)
      .set({ ...columns, expiry_checked_at: now, expiry_due_at: later(dueInMs) })
      .where(eq(watchedDomains.id, domain.id))
  })
}

/** How long the server asks to be left alone at least; null if it has answered. */
function pauseOf(result: RdapResult): number | null {
  // An answer that cannot be read is that of one domain.
  if (result.outcome !== 'failed' || result.reason.code === 'rdap_answer_unreadable') return null
  return Math.min(result.retryAfterMs ?? 0, dayMs)
}

function columnsOf({ id, failures, expires_at: known, error }: DueDomain, result: RdapResult, now: Date) {
  const answered = (reason: Message | null, expires_at: Date | null, registrar: string | null) => ({
    ...storedMessage('expiry_error', reason),
    expires_at,
    registrar,
    expiry_failures: 0,
  })
  switch (result.outcome) {
    case 'failed':
      // What is known stays.
      return {
        columns: { ...storedMessage('expiry_error', result.reason), expiry_failures: failures + 1 },
        dueInMs: Math.min(hourMs * 2 ** Math.min(failures, 5), dayMs),
      }
    case 'not registered':
      // A single answer may be wrong, and would end the warnings of the registration that is known.
      if (known !== null && error !== 'rdap_not_registered')
        return {
          columns: { ...storedMessage('expiry_error', message('rdap_not_registered')), expiry_failures: 0 },
          dueInMs: hourMs,
        }
      return { columns: answered(message('rdap_not_registered'), null, null), dueInMs: dayMs }
    case 'found': {
      const { expiresAt, registrar } = result.registration
      const reason = expiresAt === null ? message('rdap_no_expiry') : null
      return { columns: answered(reason, expiresAt, registrar), dueInMs: nextLookupMs(id, expiresAt, now) }
    }
  }
}

/** An eighth of the time that is left: a fortnight at most, a day at least, and six hours once it is over. */
export function nextLookupMs(id: number, expiresAt: Date | null, now: Date): number {
  // Spread, so that domains which were added together are not always due together.
  const spread = 0.9 + ((id * 7919) % 1000) / 5_000
  if (expiresAt === null) return 30 * dayMs * spread
  const leftMs = expiresAt.getTime() - now.getTime()
  if (leftMs <= 0) return 6 * hourMs * spread
  return Math.min(Math.max(leftMs / 8, dayMs), 14 * dayMs) * spread
}
