import type { PagerDuty } from '@kustos/clients/pagerduty'
import type { Transaction } from '@kustos/database/client'
import {
  type AlertedWarning,
  certificateWarnings,
  channelWarnings,
  degradations,
  ownDomains,
  trackingDifferences,
  watchedDomains,
  webCertificates,
  webs,
} from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { retryTransient } from '../../platform/retry.ts'
import { stillHasCertificate } from '../certificates/same-certificate.ts'
import { watchedWebIds } from '../monitored-webs.ts'
import type { Alert } from './delivery-stream.ts'

interface PagerDutyChannel {
  readonly id: number
  readonly pagerDuty: PagerDuty
}

/**
 * Tells PagerDuty of the warnings of an alert that last, each by its own key, so that what follows about the same one opens no other
 * alert, and of the ends of those that it knows.
 * @throws {DeliveryError} if it does not accept an event
 */
export async function sendWarnings(
  context: Context,
  channel: PagerDutyChannel,
  { content, event, created_at: at }: Alert,
  signal: AbortSignal,
): Promise<void> {
  const warnings = event?.warnings ?? []
  const lasting = await findLasting(context.db, warnings)
  for (const warning of warnings.filter(({ key }) => lasting.has(key))) {
    const store = () => retryTransient(signal, () => remember(context, channel.id, warning))
    // Stored before, so that its end is reported even if this worker dies, and after, since its end may have been reported meanwhile.
    if (warning.kind !== 'dns') await store()
    await channel.pagerDuty.trigger(
      dedupKey(warning),
      {
        summary: warning.title,
        source: warning.name ?? 'kustos',
        severity: event?.severity ?? 'warning',
        at,
        kind: warning.kind,
        details: { lines: content.lines },
        url: content.url,
      },
      signal,
    )
    if (warning.kind !== 'dns') await store()
  }
  await resolveWarnings(context, channel, signal)
}

/** Tells PagerDuty of the ends of warnings that it knows. @returns how many @throws {DeliveryError} as `sendWarnings` */
export async function resolveWarnings(
  context: Context,
  { id, pagerDuty }: PagerDutyChannel,
  signal: AbortSignal,
): Promise<number> {
  const rows = await context.db.select().from(channelWarnings).where(eq(channelWarnings.channel_id, id))
  const known = rows.map(({ warning }) => warning)
  const lasting = await findLasting(context.db, known)
  const ended = known.filter(({ key }) => !lasting.has(key))
  for (const warning of ended) {
    await pagerDuty.resolve(dedupKey(warning), signal)
    await context.db
      .delete(channelWarnings)
      .where(and(eq(channelWarnings.channel_id, id), eq(channelWarnings.key, warning.key)))
  }
  return ended.length
}

const dedupKey = ({ key }: AlertedWarning) => `kustos-${key}`

/** What is stored but was not accepted is resolved as well, which PagerDuty ignores. */
async function remember({ db, now }: Context, channel: number, warning: AlertedWarning): Promise<void> {
  const values = { warning, changed_at: now() }
  await db
    .insert(channelWarnings)
    .values({ channel_id: channel, key: warning.key, ...values })
    .onConflictDoUpdate({ target: [channelWarnings.channel_id, channelWarnings.key], set: values })
}

/** The keys of warnings that have not ended. A change of DNS has no end, so it is left to people. */
async function findLasting(
  db: Transaction,
  warnings: readonly AlertedWarning[],
): Promise<ReadonlySet<string>> {
  const of = (kind: AlertedWarning['kind']) => warnings.filter((warning) => warning.kind === kind)
  const idsOf = (kind: AlertedWarning['kind']) => of(kind).flatMap(({ id }) => id ?? [])
  const degraded = await readIf(idsOf('degradation'), (ids) =>
    db
      .select({ id: degradations.id })
      .from(degradations)
      .where(and(isAnyOf(degradations.id, ids), isNull(degradations.ended_at))),
  )
  const certificates = await readIf(idsOf('certificate'), (ids) => readCertificates(db, ids))
  const domains = await readIf(
    of('domain').flatMap(({ name }) => name ?? []),
    (names) =>
      db
        .select({ name: watchedDomains.name })
        .from(watchedDomains)
        .leftJoin(ownDomains, eq(ownDomains.fqdn_ascii, watchedDomains.name))
        .where(
          sql`${watchedDomains.name} = any(${sql.param(names)}::text[])
            and ${watchedDomains.warned_expiry} = coalesce(${ownDomains.expires_at}, ${watchedDomains.expires_at})`,
        ),
  )
  const differences = await readIf(idsOf('tracking'), (ids) =>
    db
      .select({ id: trackingDifferences.id })
      .from(trackingDifferences)
      .innerJoin(webs, and(eq(webs.id, trackingDifferences.web_id), isNull(webs.deleted_at)))
      .where(and(isAnyOf(trackingDifferences.id, ids), isNull(trackingDifferences.ended_at))),
  )
  const isLasting: Readonly<Record<AlertedWarning['kind'], (warning: AlertedWarning) => boolean>> = {
    degradation: ({ id }) => degraded.some((row) => row.id === id),
    certificate: ({ id, name }) => certificates.some((row) => row.web === id && row.name === name),
    domain: ({ name }) => domains.some((row) => row.name === name),
    tracking: ({ id }) => differences.some((row) => row.id === id),
    dns: () => true,
  }
  return new Set(warnings.filter((warning) => isLasting[warning.kind](warning)).map(({ key }) => key))
}

const readIf = async <One, Row>(
  wanted: readonly One[],
  read: (wanted: readonly One[]) => Promise<Row[]>,
): Promise<Row[]> => (wanted.length === 0 ? [] : read(wanted))

/** The names of webs whose certificate is wrong, or that were warned of the end of the one that they still have. */
async function readCertificates(db: Transaction, ids: readonly number[]) {
  const isMonitored = sql`w.id in ${watchedWebIds(db, '')}`
  const { rows } = await db.execute<{ web: number; name: string }>(sql`
    select c.web_id as web, c.name from ${webCertificates} c
    join ${webs} w on w.id = c.web_id and ${isMonitored}
    where c.web_id = any(${sql.param(ids)}::int[]) and c.wrong_since is not null
    union
    select e.web_id, coalesce(nullif(e.name, ''), w.fqdn) from ${certificateWarnings} e
    join ${webs} w on w.id = e.web_id and ${isMonitored}
    where e.web_id = any(${sql.param(ids)}::int[]) and ${stillHasCertificate}`)
  return rows
}
