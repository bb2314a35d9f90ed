import { trackingImages, trackingRecords, webs } from '@kustos/database/tables'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { readInspection } from '../inspections/index.ts'
import type { Context } from '../platform/context.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { type AuditRecord, type ConfirmingRecord, type FullRecord, monthOf, sha256 } from './record.ts'

/** A record with its hash, and the bytes that this is of. */
interface Stored<Record extends AuditRecord> {
  readonly record: Record
  readonly hash: string
  readonly content: string
}

export interface ReportSource {
  /** The record of the audit itself. */
  readonly own: Stored<AuditRecord>
  /** The record with the evidence, which may be an earlier one. */
  readonly evidence: Stored<FullRecord>
  /** Screenshots by their hash. */
  readonly images: ReadonlyMap<string, Buffer>
}

/**
 * The record of a tracking audit.
 * @throws DomainError not-found, also if the user may not see the web or the retention is over; conflict if the inspection is no
 * tracking audit, has not finished, or its record was altered
 */
export async function readReportSource(context: Context, inspection: number): Promise<ReportSource> {
  const [row] = await context.db
    .select({ stored: trackingRecords })
    .from(trackingRecords)
    .innerJoin(webs, eq(webs.id, trackingRecords.web_id))
    .where(and(eq(trackingRecords.inspection_id, inspection), visibleWebs(context)))
    .orderBy(desc(trackingRecords.number))
    .limit(1)
  if (!row) throw await whyMissing(context, inspection)
  const own = parse(row.stored)
  const evidence = isFull(own.record) ? own : await readConfirmed(context, row.stored.web_id, own.record)
  if (!isFull(evidence.record)) throw altered(evidence.record.number)
  const full = { ...evidence, record: evidence.record }
  return { own, evidence: full, images: await readImages(context, full.record) }
}

const isFull = (record: AuditRecord): record is FullRecord => 'audit' in record

async function whyMissing(context: Context, id: number) {
  const { kind, state } = await readInspection(context, id)
  if (kind !== 'tracking') return conflict('report_only_of_audits')
  if (state === 'waiting' || state === 'running') return conflict('report_too_early')
  return notFound('report_record_missing')
}

const altered = (number: number) => conflict('report_record_altered', { number })

function parse(row: typeof trackingRecords.$inferSelect): Stored<AuditRecord> {
  const { content, hash, number } = row
  if (sha256(content) !== hash) throw altered(number)
  return { record: JSON.parse(content) as AuditRecord, hash, content }
}

async function readConfirmed(
  { db }: Context,
  webId: number,
  { confirms }: ConfirmingRecord,
): Promise<Stored<AuditRecord>> {
  const [row] = await db
    .select()
    .from(trackingRecords)
    .where(and(eq(trackingRecords.web_id, webId), eq(trackingRecords.number, confirms.number)))
  if (row?.hash !== confirms.hash) throw altered(confirms.number)
  return parse(row)
}

async function readImages(
  { db }: Context,
  { audit, number, recorded_at }: FullRecord,
): Promise<ReadonlyMap<string, Buffer>> {
  const hashes = audit.visit?.screenshots?.map((screenshot) => screenshot.sha256) ?? []
  if (hashes.length === 0) return new Map()
  const rows = await db
    .select({ hash: trackingImages.sha256, content: trackingImages.content })
    .from(trackingImages)
    .where(
      and(inArray(trackingImages.sha256, hashes), eq(trackingImages.month, monthOf(new Date(recorded_at)))),
    )
  if (rows.some(({ hash, content }) => sha256(content) !== hash)) throw altered(number)
  return new Map(rows.map(({ hash, content }) => [hash, content]))
}
