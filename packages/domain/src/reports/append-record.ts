import type { Message } from '@kustos/contract/messages'
import type { ConsentPhase, PhaseScreenshot, TrackingVisit } from '@kustos/contract/tracking'
import type { Transaction } from '@kustos/database/client'
import { trackingImages, trackingRecords } from '@kustos/database/tables'
import { desc, eq, sql } from 'drizzle-orm'
import { storedProblems } from '../platform/stored-message.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type AuditRecord, canonicalJson, cutTexts, monthOf, type RecordedAudit, sha256 } from './record.ts'

export interface Screenshot {
  readonly phase: ConsentPhase
  /** PNG, JPEG or WebP. */
  readonly image: Buffer
}

/** The inspection that an audit belongs to. */
export interface AuditInspection {
  readonly id: number
  /** Whether a user requested it. */
  readonly isRequested: boolean
}

export interface AuditEvidence {
  readonly web: AuditRecord['web']
  readonly inspection: AuditInspection | null
  readonly startedAt?: Date | undefined
  /** Of Kustos, and of the browser; null without one, or if unknown. */
  readonly revision: string
  readonly browser: string | null
  readonly audit: Omit<RecordedAudit, 'problems' | 'problem_codes'> & {
    readonly problems: readonly Message[]
  }
  readonly screenshots: readonly Screenshot[]
}

/**
 * Appends the record of an audit to the chain of its web, in a transaction that has locked the web. It has the evidence if that
 * differs from the last record of this month, or if somebody asked for the audit; otherwise it confirms that record.
 * @returns the visit with the screenshots that were kept
 */
export async function appendRecord(
  db: Transaction,
  now: Date,
  { web, inspection, startedAt, revision, browser, audit: given, screenshots }: AuditEvidence,
): Promise<TrackingVisit | null> {
  await db.execute(sql`select make_record_partitions(${now.toISOString()})`)
  const last = await readLast(db, web.id)
  const visit = given.visit && { ...given.visit, screenshots: screenshots.map(describe) }
  // By name, since audits have more, such as the screenshots themselves.
  const { engine, outcome, leads_to, findings } = given
  const problems = storedProblems(given.problems)
  const audit = cutTexts({ engine, outcome, leads_to, ...problems, findings, visit }) as RecordedAudit
  const software = { name: 'Kustos', revision, browser } as const
  const fingerprint = fingerprintOf(audit, { fqdn: web.fqdn, customer: web.customer, software })
  const isRequested = inspection?.isRequested ?? false
  const isSame =
    last?.fingerprint === fingerprint && monthOf(last.recordedAt).getTime() === monthOf(now).getTime()
  const confirms = isSame && !isRequested ? await readConfirmed(db, web.id, last) : null
  const head = {
    kustos_record: 1 as const,
    web,
    number: (last?.number ?? 0) + 1,
    previous: last?.hash ?? null,
    ...(startedAt && { started_at: startedAt.toISOString() }),
    recorded_at: now.toISOString(),
    inspection: inspection?.id ?? null,
    requested: isRequested,
    software,
  }
  const record: AuditRecord = confirms === null ? { ...head, audit } : { ...head, confirms }
  const content = canonicalJson(record)
  await db.insert(trackingRecords).values({
    web_id: web.id,
    number: record.number,
    recorded_at: now,
    inspection_id: record.inspection,
    confirms: confirms?.number ?? null,
    fingerprint,
    content,
    hash: sha256(content),
  })
  if (confirms !== null) return given.visit
  await keepImages(db, monthOf(now), screenshots)
  return visit
}

const describe = ({ phase, image }: Screenshot): PhaseScreenshot => ({
  phase,
  sha256: sha256(image),
  bytes: image.length,
})

interface LastRecord {
  readonly number: number
  readonly recordedAt: Date
  readonly confirms: number | null
  readonly fingerprint: string
  readonly hash: string
}

async function readLast(db: Transaction, webId: number): Promise<LastRecord | undefined> {
  const { number, recorded_at: recordedAt, confirms, fingerprint, hash } = trackingRecords
  const [last] = await db
    .select({ number, recordedAt, confirms, fingerprint, hash })
    .from(trackingRecords)
    .where(eq(trackingRecords.web_id, webId))
    .orderBy(desc(number))
    .limit(1)
  return last
}

/** The record with the evidence that a record has or confirms. */
async function readConfirmed(db: Transaction, webId: number, last: LastRecord) {
  if (last.confirms === null) return { number: last.number, hash: last.hash }
  const { number, hash } = trackingRecords
  const [found] = await db
    .select({ number, hash })
    .from(trackingRecords)
    .where(sql`${trackingRecords.web_id} = ${webId} and ${number} = ${last.confirms}`)
  return found ?? null
}

async function keepImages(db: Transaction, month: Date, screenshots: readonly Screenshot[]): Promise<void> {
  for (const { image } of screenshots)
    await db
      .insert(trackingImages)
      .values({ sha256: sha256(image), month, content: image })
      .onConflictDoNothing()
}
