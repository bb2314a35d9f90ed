import type { Transaction } from '@kustos/database/client'
import { trackingImages, trackingRecords } from '@kustos/database/tables'
import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../platform/context.ts'
import { parseJson } from '../platform/parse-json.ts'
import { type AuditRecord, monthOf, sha256 } from './record.ts'

export interface RecordVerification {
  /** A sentence about the first record that is not as it was; null if there is none. */
  readonly fault: string | null
  /** Those that were checked, of all webs. */
  readonly records: number
  readonly images: number
}

type Row = typeof trackingRecords.$inferSelect

const rowsAtOnce = 100

/**
 * Checks every record of tracking audits against its hash, its columns, the one before it, and its screenshots, as of one moment:
 * the retention waits before it drops months, which would seem to be missing.
 */
export const verifyRecords = ({ db }: Pick<Context, 'db'>): Promise<RecordVerification> =>
  db.transaction(verifyAll, { isolationLevel: 'repeatable read', accessMode: 'read only' })

async function verifyAll(db: Transaction): Promise<RecordVerification> {
  let records = 0
  let images = 0
  let previous: Row | null = null
  for (;;) {
    const rows = await readAfter(db, previous)
    if (rows.length === 0) return { fault: null, records, images }
    for (const row of rows) {
      const checked = await check(db, row, previous?.web_id === row.web_id ? previous : null)
      if (typeof checked === 'string') return { fault: checked, records, images }
      records += 1
      images += checked
      previous = row
    }
  }
}

const readAfter = (db: Transaction, last: Row | null): Promise<Row[]> =>
  db
    .select()
    .from(trackingRecords)
    .where(
      last === null
        ? undefined
        : sql`(${trackingRecords.web_id}, ${trackingRecords.number}) > (${last.web_id}, ${last.number})`,
    )
    .orderBy(asc(trackingRecords.web_id), asc(trackingRecords.number))
    .limit(rowsAtOnce)

/** What is compared. Somebody who changes a record may write anything. */
const recordSchema = z.looseObject({
  web: z.looseObject({ id: z.number() }),
  confirms: z.looseObject({ number: z.number(), hash: z.string() }).optional(),
  audit: z
    .looseObject({
      visit: z
        .looseObject({ screenshots: z.array(z.looseObject({ sha256: z.string() })).optional() })
        .nullable(),
    })
    .optional(),
})

function readRecord(content: string): AuditRecord | null {
  const parsed = recordSchema.safeParse(parseJson(content))
  return parsed.success ? (parsed.data as unknown as AuditRecord) : null
}

/**
 * @param previous the record before it; null for the first one that the retention has left
 * @returns the number of its screenshots, or a sentence about a fault
 */
async function check(db: Transaction, row: Row, previous: Row | null): Promise<number | string> {
  const name = `Record ${row.number} of web ${row.web_id}`
  if (sha256(row.content) !== row.hash) return `${name} was changed.`
  const record = readRecord(row.content)
  const confirms = record !== null && 'confirms' in record ? record.confirms : null
  if (
    record === null ||
    record.web.id !== row.web_id ||
    record.number !== row.number ||
    record.recorded_at !== row.recorded_at.toISOString() ||
    record.inspection !== row.inspection_id ||
    (confirms?.number ?? null) !== row.confirms
  )
    return `${name} was changed: its columns differ from its content.`
  if (previous !== null && row.number !== previous.number + 1)
    return `Record ${previous.number + 1} of web ${row.web_id} is missing.`
  if (previous !== null && record.previous !== previous.hash)
    return `${name} does not continue record ${previous.number}.`
  if (row.number === 1 && record.previous !== null) return `${name} continues a record that was removed.`
  if (confirms !== null && !(await isThere(db, row.web_id, confirms)))
    return `${name} confirms record ${confirms.number}, which is missing or was changed.`
  return 'audit' in record ? checkImages(db, name, record) : 0
}

async function isThere(db: Transaction, webId: number, { number, hash }: { number: number; hash: string }) {
  const { web_id, number: numberColumn, hash: hashColumn } = trackingRecords
  const [found] = await db
    .select({ number: numberColumn })
    .from(trackingRecords)
    .where(and(eq(web_id, webId), eq(numberColumn, number), eq(hashColumn, hash)))
  return found !== undefined
}

async function checkImages(
  db: Transaction,
  name: string,
  { audit, recorded_at }: Extract<AuditRecord, { audit: unknown }>,
): Promise<number | string> {
  const screenshots = audit.visit?.screenshots ?? []
  for (const { sha256: hash } of screenshots) {
    const [image] = await db
      .select({ content: trackingImages.content })
      .from(trackingImages)
      .where(and(eq(trackingImages.sha256, hash), eq(trackingImages.month, monthOf(new Date(recorded_at)))))
    if (!image || sha256(image.content) !== hash) return `A screenshot of ${name} is missing or was changed.`
  }
  return screenshots.length
}
