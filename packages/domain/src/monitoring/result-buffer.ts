import type { Probed } from '@kustos/clients/probe'
import { storableJson } from '@kustos/database/storable-text'
import type { transientFailure } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { retryTransient } from '../platform/retry.ts'
import { storedMessage } from '../platform/stored-message.ts'

/** Columns of a web that a probe can change. */
export interface WebFacts {
  readonly id: number
  readonly http_status_code: number | null
  readonly cert_ca: string | null
  readonly cert_expiration: Date | null
}

interface Entry {
  readonly web: number
  readonly probed: Probed
  readonly outcome: 'up' | 'unconfirmed'
}

/**
 * Collects the results of a shard's probes and writes those of two seconds at once. While the database is down, they wait.
 * @param signal ends the waiting
 */
export function createResultBuffer(context: Context, roundAt: Date, signal: AbortSignal) {
  let entries: Entry[] = []
  let decisions: { web: number; outcome: string }[] = []
  let changed = new Map<number, WebFacts>()
  const seen = new Map<number, WebFacts>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const failures: unknown[] = []

  function noteChanges(web: WebFacts, { status, certificate }: Probed) {
    const before = seen.get(web.id) ?? web
    const after: WebFacts = {
      id: web.id,
      http_status_code: status,
      cert_ca: certificate?.authority ?? before.cert_ca,
      cert_expiration: certificate?.expiration ?? before.cert_expiration,
    }
    seen.set(web.id, after)
    if (
      after.http_status_code !== before.http_status_code ||
      after.cert_ca !== before.cert_ca ||
      after.cert_expiration?.getTime() !== before.cert_expiration?.getTime()
    )
      changed.set(web.id, after)
    timer ??= setTimeout(() => void write(), flushDelayMs)
  }

  /** Permanent failures are thrown by `close`; later results are written nevertheless. */
  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = { entries, decisions, changed: [...changed.values()] }
    entries = []
    decisions = []
    changed = new Map()
    writing = writing
      .then(() => retryTransient(signal, () => store(context, roundAt, batch)))
      .catch((error: unknown) => void failures.push(error))
    return writing
  }

  return {
    add(web: WebFacts, probed: Probed, outcome: Entry['outcome']): void {
      entries.push({ web: web.id, probed, outcome })
      noteChanges(web, probed)
    },
    /** Adds the result of the second probe after a failure. */
    confirm(web: WebFacts, second: Probed, outcome: 'down' | typeof transientFailure | 'unknown'): void {
      decisions.push({ web: web.id, outcome })
      noteChanges(web, second)
    },
    /** Writes everything that was added. @throws if something could not be written */
    async close(): Promise<void> {
      await write()
      if (failures.length > 0) throw failures[0]
    },
  }
}

const flushDelayMs = 2_000

interface Batch {
  readonly entries: readonly Entry[]
  readonly decisions: readonly { readonly web: number; readonly outcome: string }[]
  readonly changed: readonly WebFacts[]
}

/** Writes nothing if the round has been evaluated since. It is safe to run twice. */
async function store({ db }: Context, roundAt: Date, { entries, decisions, changed }: Batch): Promise<void> {
  if (entries.length + decisions.length + changed.length === 0) return
  const round = roundAt.toISOString()
  const reasons = entries.map(({ probed }) => storedMessage('reason', probed.reason))
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute(
      sql`select from probe_rounds where round_at = ${round} and judged_at is null for share`,
    )
    if (rows.length === 0) return
    if (entries.length > 0)
      await tx.execute(sql`
        insert into statistics (web_id, round_at, created_at, status, response_ms, outcome, reason, reason_code,
          reason_params)
        select web_id, ${round}::timestamptz, created_at, status, response_ms, outcome, reason, reason_code,
          reason_params
        from unnest(
          ${sql.param(entries.map(({ web }) => web))}::int[],
          ${sql.param(entries.map(({ probed }) => probed.startedAt.toISOString()))}::timestamptz[],
          ${sql.param(entries.map(({ probed }) => probed.status))}::smallint[],
          ${sql.param(entries.map(({ probed }) => (probed.status === null ? null : Math.round(probed.milliseconds))))}::int[],
          ${sql.param(entries.map(({ outcome }) => outcome))}::text[],
          ${sql.param(reasons.map(({ reason }) => reason))}::text[],
          ${sql.param(reasons.map(({ reason_code }) => reason_code))}::text[],
          ${sql.param(reasons.map(({ reason_params }) => reason_params && storableJson(reason_params)))}::jsonb[]
        ) as entry (web_id, created_at, status, response_ms, outcome, reason, reason_code, reason_params)
        on conflict do nothing`)
    if (decisions.length > 0)
      await tx.execute(sql`
        update statistics set outcome = decision.outcome
        from unnest(
          ${sql.param(decisions.map(({ web }) => web))}::int[],
          ${sql.param(decisions.map(({ outcome }) => outcome))}::text[]
        ) as decision (web_id, outcome)
        where statistics.web_id = decision.web_id and statistics.round_at = ${round}
          and statistics.outcome = 'unconfirmed'`)
    // Every statement on the table increases the list's revision.
    if (changed.length > 0)
      await tx.execute(sql`
        with seen as (
          select * from unnest(
            ${sql.param(changed.map(({ id }) => id))}::int[],
            ${sql.param(changed.map(({ http_status_code }) => http_status_code))}::int[],
            ${sql.param(changed.map(({ cert_ca }) => cert_ca))}::text[],
            ${sql.param(changed.map(({ cert_expiration }) => cert_expiration?.toISOString() ?? null))}::timestamptz[]
          ) as seen (id, http_status_code, cert_ca, cert_expiration)
        ),
        -- In the order in which all others lock them.
        locked as (select id from webs where id in (select id from seen) order by id for no key update)
        update webs set http_status_code = seen.http_status_code, cert_ca = seen.cert_ca,
          cert_expiration = seen.cert_expiration
        from seen join locked using (id) where webs.id = seen.id`)
  })
}
