import type { Transaction } from '@kustos/database/client'
import { storableJson } from '@kustos/database/storable-text'
import type { transientFailure } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import type { WebCheck } from '../checks/index.ts'
import type { Context } from '../platform/context.ts'
import { retryTransient } from '../platform/retry.ts'
import { storedMessage } from '../platform/stored-message.ts'
import {
  checkReplacedCertificates,
  readSeenCertificate,
  type SeenCertificate,
} from './certificates/note-seen.ts'
import { isPage, type Judged } from './judge-probe.ts'
import { markWebs } from './mark-webs.ts'
import { openIncidents } from './open-incidents.ts'
import type { Round } from './round.ts'
import { storeSeenPages } from './seen-pages.ts'

/** Columns of a web that a probe can change. */
export interface WebFacts {
  readonly id: number
  /** The name that is probed, to which the facts belong. */
  readonly fqdn: string
  readonly http_status_code: number | null
  readonly cert_ca: string | null
  readonly cert_from: Date | null
  readonly cert_expiration: Date | null
}

/** A web and how it is checked. */
export interface CheckedWeb extends WebFacts {
  readonly check: WebCheck
  /** Host and path. */
  readonly url: string
  /** The same of the page with content that was seen last; null if there was none. */
  readonly seenUrl: string | null
}

interface Entry {
  readonly web: number
  readonly judged: Judged
  readonly outcome: 'up' | 'degraded' | 'unconfirmed' | 'unknown' | typeof transientFailure
}

interface ResultBufferOptions {
  /** As in `MonitoringSettings`. */
  readonly internalMarker: string
  /** Called after incidents have been opened. */
  readonly onOpened: () => void
  /** Ends the waiting for the database. */
  readonly signal: AbortSignal
}

/**
 * Collects the results of a shard's probes and writes those of two seconds at once, and those that open an incident within a
 * moment. While the database is down, they wait.
 */
export function createResultBuffer(
  context: Context,
  round: Round,
  { internalMarker, onOpened, signal }: ResultBufferOptions,
) {
  let entries: Entry[] = []
  let decisions: Decision[] = []
  let changed = new Map<number, WebFacts>()
  let certificates = new Map<number, SeenCertificate>()
  let pages = new Map<number, string>()
  const seen = new Map<number, WebFacts>()
  let timer: NodeJS.Timeout | undefined
  let isUrgent = false
  let writing: Promise<void> = Promise.resolve()
  const failures: unknown[] = []

  function noteChanges(web: CheckedWeb, { probed }: Judged, outcome: string) {
    const { status, certificate } = probed
    const certificateSeen = readSeenCertificate(probed)
    if (certificateSeen !== null) certificates.set(web.id, certificateSeen)
    if (web.seenUrl !== web.url && isPage(web.check, probed)) pages.set(web.id, web.url)
    const before = seen.get(web.id) ?? web
    const after: WebFacts = {
      id: web.id,
      fqdn: web.fqdn,
      http_status_code: outcome === 'unknown' ? before.http_status_code : status,
      cert_ca: certificate?.authority ?? before.cert_ca,
      cert_from: certificate?.from ?? before.cert_from,
      cert_expiration: certificate?.expiration ?? before.cert_expiration,
    }
    seen.set(web.id, after)
    // A probe that resumes a TLS session sees none, while a refresh may have stored another one since the shard was read.
    const showsCertificate = certificate !== null || changed.get(web.id)?.cert_ca != null
    if (
      after.http_status_code !== before.http_status_code ||
      after.cert_ca !== before.cert_ca ||
      after.cert_from?.getTime() !== before.cert_from?.getTime() ||
      after.cert_expiration?.getTime() !== before.cert_expiration?.getTime()
    )
      changed.set(web.id, showsCertificate ? after : { ...after, ...noCertificate })
    timer ??= setTimeout(() => void write(), flushDelayMs)
  }

  function writeSoon() {
    if (isUrgent) return
    isUrgent = true
    clearTimeout(timer)
    timer = setTimeout(() => void write(), urgentFlushDelayMs)
  }

  /** Permanent failures are thrown by `close`; later results are written nevertheless. */
  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    isUrgent = false
    const batch = { entries, decisions, changed: [...changed.values()], certificates, pages }
    entries = []
    decisions = []
    changed = new Map()
    certificates = new Map()
    pages = new Map()
    writing = writing
      .then(async () => {
        const opened = await retryTransient(signal, () => store(context, round, internalMarker, batch))
        if (opened > 0) onOpened()
      })
      .catch((error: unknown) => void failures.push(error))
    return writing
  }

  return {
    add(web: CheckedWeb, judged: Judged, outcome: Entry['outcome']): void {
      entries.push({ web: web.id, judged, outcome })
      noteChanges(web, judged, outcome)
    },
    /**
     * Adds the result of the second probe after a failure.
     * @param opens whether an incident is opened at once rather than with the evaluation of the round
     */
    confirm(
      web: CheckedWeb,
      second: Judged,
      outcome: 'down' | typeof transientFailure | 'unknown',
      opens = false,
    ): void {
      decisions.push({ web: web.id, fqdn: web.fqdn, outcome, opens })
      noteChanges(web, second, outcome)
      if (opens) writeSoon()
    },
    /** Writes everything that was added. @throws if something could not be written */
    async close(): Promise<void> {
      await write()
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** Leaves the stored certificate as it is. */
const noCertificate = { cert_ca: null, cert_from: null, cert_expiration: null } as const

const flushDelayMs = 2_000
/** Webs that fail together are mostly confirmed together. */
const urgentFlushDelayMs = 200

interface Decision {
  readonly web: number
  /** The name that was probed. */
  readonly fqdn: string
  readonly outcome: string
  readonly opens: boolean
}

interface Batch {
  readonly entries: readonly Entry[]
  readonly decisions: readonly Decision[]
  readonly changed: readonly WebFacts[]
  readonly certificates: ReadonlyMap<number, SeenCertificate>
  /** Addresses of pages with content that were seen first, by web. */
  readonly pages: ReadonlyMap<number, string>
}

/**
 * Writes nothing if the round has been evaluated since. It is safe to run twice.
 * @returns how many incidents were opened
 */
async function store(
  { db }: Context,
  roundOfProbes: Round,
  internalMarker: string,
  { entries, decisions, changed, certificates, pages }: Batch,
): Promise<number> {
  if (entries.length + decisions.length + changed.length === 0) return 0
  const round = roundOfProbes.at.toISOString()
  const probes = entries.map(({ judged }) => judged.probed)
  const reasons = entries.map(({ judged, outcome }) =>
    storedMessage('reason', outcome === 'up' ? null : judged.reason),
  )
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute(
      sql`select from probe_rounds where round_at = ${round} and judged_at is null for share`,
    )
    if (rows.length === 0) return 0
    if (entries.length > 0)
      await tx.execute(sql`
        insert into statistics (web_id, round_at, created_at, status, response_ms, outcome, reason, reason_code,
          reason_params)
        select web_id, ${round}::timestamptz, created_at, status, response_ms, outcome, reason, reason_code,
          reason_params
        from unnest(
          ${sql.param(entries.map(({ web }) => web))}::int[],
          ${sql.param(probes.map(({ startedAt }) => startedAt.toISOString()))}::timestamptz[],
          ${sql.param(probes.map(({ status }) => status))}::smallint[],
          ${sql.param(probes.map(({ status, milliseconds }) => (status === null ? null : Math.round(milliseconds))))}::int[],
          ${sql.param(entries.map(({ outcome }) => outcome))}::text[],
          ${sql.param(reasons.map(({ reason }) => reason))}::text[],
          ${sql.param(reasons.map(({ reason_code }) => reason_code))}::text[],
          ${sql.param(reasons.map(({ reason_params }) => reason_params && storableJson(reason_params)))}::jsonb[]
        ) as entry (web_id, created_at, status, response_ms, outcome, reason, reason_code, reason_params)
        on conflict do nothing`)
    if (decisions.length > 0)
      await tx.execute(sql`
        -- That the former name of a web fails which was renamed meanwhile says nothing of the present one.
        update statistics set outcome = case when webs.fqdn_ascii = decision.fqdn then decision.outcome else 'unknown' end
        from unnest(
          ${sql.param(decisions.map(({ web }) => web))}::int[],
          ${sql.param(decisions.map(({ fqdn }) => fqdn))}::text[],
          ${sql.param(decisions.map(({ outcome }) => outcome))}::text[]
        ) as decision (web_id, fqdn, outcome) join webs on webs.id = decision.web_id
        where statistics.web_id = decision.web_id and statistics.round_at = ${round}
          and statistics.outcome = 'unconfirmed'`)
    await storeSeenPages(tx, pages)
    const opened = await openConfirmed(tx, roundOfProbes, internalMarker, decisions)
    // Others lock webs in this order, and before the list's revision, which the first update of a web locks.
    if (opened.length > 0)
      await tx.execute(sql`
        select from webs where id = any(${sql.param([...opened, ...changed.map(({ id }) => id)])}::int[])
        order by id for no key update`)
    // Every statement on the table increases the list's revision.
    if (changed.length > 0)
      await tx.execute(sql`
        with seen as (
          select * from unnest(
            ${sql.param(changed.map(({ id }) => id))}::int[],
            ${sql.param(changed.map(({ fqdn }) => fqdn))}::text[],
            ${sql.param(changed.map(({ http_status_code }) => http_status_code))}::int[],
            ${sql.param(changed.map(({ cert_ca }) => cert_ca))}::text[],
            ${sql.param(changed.map(({ cert_from }) => cert_from?.toISOString() ?? null))}::timestamptz[],
            ${sql.param(changed.map(({ cert_expiration }) => cert_expiration?.toISOString() ?? null))}::timestamptz[]
          ) as seen (id, fqdn, http_status_code, cert_ca, cert_from, cert_expiration)
        ),
        -- In the order in which all others lock them.
        locked as (select id from webs where id in (select id from seen) order by id for no key update)
        update webs set http_status_code = seen.http_status_code, cert_ca = coalesce(seen.cert_ca, webs.cert_ca),
          cert_from = coalesce(seen.cert_from, webs.cert_from),
          cert_expiration = coalesce(seen.cert_expiration, webs.cert_expiration)
        from seen join locked using (id)
        -- It may have been renamed since its probe began.
        where webs.id = seen.id and webs.fqdn_ascii = seen.fqdn`)
    await checkReplacedCertificates(tx, certificates)
    if (opened.length > 0) await markWebs(tx, sql`w.id = any(${sql.param(opened)}::int[])`)
    return opened.length
  })
}

/** @returns the ids of the webs that an incident was opened for */
async function openConfirmed(
  tx: Transaction,
  round: Round,
  internalMarker: string,
  decisions: readonly Decision[],
): Promise<number[]> {
  const confirmed = decisions.flatMap(({ web, opens }) => (opens ? [web] : []))
  if (confirmed.length === 0) return []
  const opened = await openIncidents(
    tx,
    round,
    { internalMarker },
    sql`s.web_id = any(${sql.param(confirmed)}::int[])`,
  )
  return opened.map(({ web_id }) => web_id)
}
