import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@kustos/clients/browser'
import type { JobOutcome, Queues } from '@kustos/clients/queue'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { reportPdfs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { conflict, DomainError, upstreamError } from '../platform/errors.ts'
import { throwQueueFailure } from '../platform/queue-failure.ts'
import { readStoredError, storedMessage } from '../platform/stored-message.ts'
import { createPrintJob } from './jobs.ts'
import { sha256 } from './record.ts'

/** Requests are answered within a minute. */
const maxWaitMs = 45_000
const pollMs = 200
const addAgainMs = 2_000

/**
 * Lets a worker print a document, unless one has done so already, and waits for it. All that ask for the same document at once
 * share one job.
 * @throws DomainError conflict if the worker has no browser; upstream if it cannot print, or none does in time; unavailable while
 * Redis is down
 */
export async function requestPdf(
  context: Context,
  queues: Pick<Queues, 'add'>,
  html: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const { db, now, requestId } = context
  const document = sha256(html)
  const [own] = await db
    .insert(reportPdfs)
    .values({ document, html, requested_at: now() })
    .onConflictDoUpdate({
      target: reportPdfs.document,
      set: { requested_at: now(), ended_at: null, ...storedMessage('error', null) },
      // One that has failed is tried again.
      setWhere: isNotNull(reportPdfs.error),
    })
    .returning({ document: reportPdfs.document })
  // Others wait for the job of the first one, unless it is lost.
  let addsAtMs = own === undefined ? addAgainMs : 0
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += pollMs) {
    const pdf = await readPdf(db, document)
    if (pdf !== null) return pdf
    if (waitedMs >= addsAtMs) {
      await queues.add(createPrintJob(document, requestId)).catch(throwQueueFailure)
      addsAtMs = waitedMs + addAgainMs
    }
    await sleep(pollMs, undefined, { signal })
  }
  throw upstreamError('report_not_ready')
}

/** @throws DomainError if it cannot be printed */
async function readPdf(db: Context['db'], document: string): Promise<Buffer | null> {
  const { html: _, ...columns } = reportPdfs
  const [row] = await db
    .select({
      pdf: columns.pdf,
      endedAt: columns.ended_at,
      error: columns.error,
      error_code: columns.error_code,
      error_params: columns.error_params,
    })
    .from(reportPdfs)
    .where(eq(reportPdfs.document, document))
  if (!row?.endedAt) return null
  if (row.pdf !== null) return row.pdf
  const reason = readStoredError(row)
  throw reason.code === 'report_browser_missing'
    ? conflict('report_browser_missing')
    : new DomainError('upstream', reason)
}

/** Prints the document of a job. @param browser null if none is configured */
export async function printReport(
  { db, now }: Context,
  browser: Pick<Browser, 'print'> | null,
  document: string,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const [row] = await db
    .select({ html: reportPdfs.html })
    .from(reportPdfs)
    .where(and(eq(reportPdfs.document, document), isNull(reportPdfs.ended_at)))
  if (!row) return 'done'
  const end = (values: Partial<typeof reportPdfs.$inferInsert>) =>
    db
      .update(reportPdfs)
      .set({ ...values, ended_at: now() })
      .where(eq(reportPdfs.document, document))
  const fail = async (reason: Message): Promise<JobOutcome> => {
    await end(storedMessage('error', reason))
    return { failed: englishText(reason) }
  }
  if (browser === null) return fail(message('report_browser_missing'))
  const printed = await browser.print(row.html, signal)
  if (signal.aborted) return { retryInMs: 0 }
  if (printed.outcome === 'failed') return fail(message('report_not_printed', { reason: printed.reason }))
  await end({ pdf: printed.pdf })
  return 'done'
}
