import type { LogLine } from '@kustos/contract/deployment'
import { deploymentLines } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { lasting } from '../lasting.ts'

export interface LogWriter {
  write(step: number, source: LogLine['source'], text: string): void
  /** Resolves when everything written so far is kept. */
  flush(): Promise<void>
}

/** What is kept of a deployment's output, in bytes. */
const mostBytes = 1024 * 1024
/** Lines are kept in groups, so that a chatty command costs a statement now and then. In milliseconds. */
const rhythm = 150
const linesAtOnce = 500

/**
 * Writes a deployment's log: numbered lines, the first after those that are there already.
 * @param signal ends the attempts where the database stays away
 */
export async function openLog(context: Context, deployment: number, signal: AbortSignal): Promise<LogWriter> {
  const [before] = await context.db
    .select({
      last: sql<number>`coalesce(max(${deploymentLines.number}), 0)::int`,
      bytes: sql<number>`coalesce(sum(octet_length(${deploymentLines.text})), 0)::int`,
    })
    .from(deploymentLines)
    .where(eq(deploymentLines.deployment_id, deployment))
  let last = before?.last ?? 0
  let bytes = before?.bytes ?? 0
  let isFull = bytes >= mostBytes
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
      for (let at = 0; at < lines.length; at += linesAtOnce) {
        const group = lines.slice(at, at + linesAtOnce)
        // A group whose answer was lost may be there already.
        await lasting(signal, () => context.db.insert(deploymentLines).values(group).onConflictDoNothing())
      }
    })
    writing.catch((error: Error) => {
      failure ??= error
    })
  }

  function add(step: number, source: LogLine['source'], text: string) {
    last += 1
    bytes += Buffer.byteLength(text)
    // Postgres cannot hold NUL in a text.
    waiting.push({
      deployment_id: deployment,
      number: last,
      step,
      at: context.now(),
      source,
      text: text.replaceAll('\u0000', '\u2400'),
    })
    if (waiting.length >= linesAtOnce) keep()
    else timer ??= setTimeout(keep, rhythm)
  }

  return {
    write(step, source, text) {
      if (isFull && source !== 'note') return
      add(step, source, text)
      if (isFull || bytes < mostBytes) return
      isFull = true
      add(step, 'note', 'The log has reached 1 MiB: what the commands write from here on is not kept.')
    },
    async flush() {
      keep()
      await writing
      if (failure) throw failure
    },
  }
}
