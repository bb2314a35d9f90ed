import { setTimeout as sleep } from 'node:timers/promises'
import type { Queues } from '@kustos/clients/queue'
import type { ChannelTest } from '@kustos/contract/alert-channels'
import { message } from '@kustos/contract/messages'
import { alertChannelTests } from '@kustos/database/tables'
import { desc, eq, lt } from 'drizzle-orm'
import { entriesOf, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { DomainError, upstreamError } from '../platform/errors.ts'
import { throwQueueFailure } from '../platform/queue-failure.ts'
import { lockChannel } from './change-channel.ts'
import { channelTestJob } from './jobs.ts'

/** Between two test messages to a channel. */
const minIntervalMs = 10_000
/** Longer than any service may take to answer, except for a mail server that checks the mail for long. */
const maxWaitMs = 20_000
const pollMs = 150

const entry = entriesOf('alert-channels', 'alert_channel')

/**
 * Lets a worker send a test message, and waits for the answer of the service. Only workers know the configured channels and reach the
 * services.
 * @throws DomainError not-found; too-many within ten seconds of the last test; upstream if no worker sends it; unavailable while
 * Redis is down
 */
export async function testAlertChannel(
  context: Context,
  { queues }: { readonly queues: Pick<Queues, 'add'> },
  id: number,
): Promise<ChannelTest> {
  const test = await withAudit(context, async (tx) => {
    await lockChannel(tx, id)
    const now = tx.now()
    const [last] = await tx.db
      .select({ at: alertChannelTests.created_at })
      .from(alertChannelTests)
      .where(eq(alertChannelTests.channel_id, id))
      .orderBy(desc(alertChannelTests.created_at))
      .limit(1)
    const leftMs = last === undefined ? 0 : last.at.getTime() + minIntervalMs - now.getTime()
    if (leftMs > 0) {
      const seconds = Math.ceil(leftMs / 1000)
      throw new DomainError('too-many', message('alert_channel_tested', { seconds }), {
        retryAfterSeconds: seconds,
      })
    }
    const [row] = await tx.db
      .insert(alertChannelTests)
      .values({ channel_id: id, created_at: now })
      .returning({ id: alertChannelTests.id })
    if (!row) throw new Error('The test was not inserted')
    await tx.record({ ...entry('test message requested', id), attributes: {} })
    return row.id
  })
  await queues.add(channelTestJob(test)).catch(async (error: unknown) => {
    // The test would never be sent, and would delay the next one.
    await context.db.delete(alertChannelTests).where(eq(alertChannelTests.id, test))
    throwQueueFailure(error)
  })
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += pollMs) {
    await sleep(pollMs)
    const [row] = await context.db.select().from(alertChannelTests).where(eq(alertChannelTests.id, test))
    if (row?.ended_at) return { ok: row.error === null, error: row.error }
  }
  throw upstreamError('alert_channel_not_tested')
}

const retentionMs = 86_400_000

/** Removes tests of past days. */
export async function purgeChannelTests({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<{ readonly tests: number } | null> {
  const { rowCount } = await db
    .delete(alertChannelTests)
    .where(lt(alertChannelTests.created_at, new Date(now().getTime() - retentionMs)))
  return rowCount ? { tests: rowCount } : null
}
