import type { LogLine } from '@kustos/contract/deployment'
import { deploymentLines } from '@kustos/database/tables'
import { and, eq, gt, sql } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { retryTransient } from '../platform/retry.ts'

export type LogWriter = Awaited<ReturnType<typeof openLogWriter>>

const maxLogBytes = 1024 * 1024
/** Empty lines have no bytes, but each is a row, and waits in the worker's memory. */
const maxLogLines = 50_000
/** Lines are stored in batches. */
const flushIntervalMs = 150
const batchLines = 500

/**
 * Appends numbered lines to the log of a deployment.
 * @param signal ends the retries while the database is down
 */
export async function openLogWriter(context: Context, deployment: number, signal: AbortSignal) {
  const [before] = await context.db
    .select({
      last: sql<number>`coalesce(max(${deploymentLines.number}), 0)::int`,
      bytes: sql<number>`coalesce(sum(octet_length(${deploymentLines.text})), 0)::int`,
    })
    .from(deploymentLines)
    .where(eq(deploymentLines.deployment_id, deployment))
  let last = before?.last ?? 0
  let bytes = before?.bytes ?? 0
  let isFull = bytes >= maxLogBytes || last >= maxLogLines
  let waiting: (typeof deploymentLines.$inferInsert)[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let failure: Error | undefined

  function keep() {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = []
    writing = writing.then(async () => {
      for (const group of chunk(lines, batchLines)) {
        // A batch whose answer was lost may be stored already.
        await retryTransient(signal, () =>
          context.db.transaction(async (db) => {
            await context.assertLease?.(db)
            await db.insert(deploymentLines).values(group).onConflictDoNothing()
          }),
        )
      }
    })
    writing.catch((error: Error) => {
      failure ??= error
    })
  }

  function add(step: number, source: LogLine['source'], text: string) {
    last += 1
    bytes += Buffer.byteLength(text)
    waiting.push({
      deployment_id: deployment,
      number: last,
      step,
      at: context.now(),
      source,
      text,
    })
    if (waiting.length >= batchLines) keep()
    else timer ??= setTimeout(keep, flushIntervalMs)
  }

  return {
    /** The number of the last line, which may not be stored yet. */
    last: () => last,
    write(step: number, source: LogLine['source'], text: string): void {
      if (isFull && source !== 'note') return
      add(step, source, text)
      if (isFull || (bytes < maxLogBytes && last < maxLogLines)) return
      isFull = true
      const limit = bytes < maxLogBytes ? '50,000 lines' : '1 MiB'
      add(step, 'note', `The log reached ${limit}. Further output is discarded.`)
    },
    /** Resolves when everything written so far is stored. */
    async flush(): Promise<void> {
      keep()
      await writing
      if (failure) throw failure
    },
  }
}

/** Counts the stored lines of a step by their source. @param after the number of the line that they follow */
export async function countLines(
  { db }: Context,
  deployment: number,
  step: number,
  after: number,
): Promise<Record<LogLine['source'], number>> {
  const ofSource = (source: LogLine['source']) =>
    sql<number>`count(*) filter (where ${deploymentLines.source} = ${source})`.mapWith(Number)
  const [counted] = await db
    .select({ out: ofSource('out'), err: ofSource('err'), note: ofSource('note') })
    .from(deploymentLines)
    .where(
      and(
        eq(deploymentLines.deployment_id, deployment),
        eq(deploymentLines.step, step),
        gt(deploymentLines.number, after),
      ),
    )
  return counted ?? { out: 0, err: 0, note: 0 }
}
