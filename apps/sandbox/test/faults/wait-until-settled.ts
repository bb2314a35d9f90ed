import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openQueues } from '@kustos/clients/queue'
import { queues } from '@kustos/contract/queue'
import { sql } from 'drizzle-orm'
import type { Message } from '../../src/messages/store.ts'
import { findViolations, readLoadScope } from './invariants.ts'
import type { SystemUnderFaults } from './system-under-faults.ts'

/** Work that is unfinished this long after the last kill is stuck, unless it has a worker. */
export const settleTimeoutMs = 60_000
/** After this time, work with a worker and jobs for finished work are stuck too. */
const maxSettleMs = 3 * settleTimeoutMs

const endRules = [
  'a deployment ends',
  'a requested inspection ends',
  'a round that started before the last kill is evaluated',
  'an alert is sent within a minute',
] as const
const workerRules = [
  'an unfinished deployment has a worker',
  'an unfinished inspection has a worker',
  // A round is evaluated without late shards, and sending an alert takes no time, so that neither may last longer.
  'a round that started before the last kill is evaluated',
  'an alert is sent within a minute',
] as const

/**
 * Waits until all work and its jobs have finished.
 * @param lastKill in milliseconds since 1970
 * @returns stuck work: unfinished a minute after the last kill without a worker, or unfinished after three minutes
 */
export async function waitUntilSettled(
  system: SystemUnderFaults,
  lastKill: number,
): Promise<readonly string[]> {
  const { database } = system
  const scope = await readLoadScope(database, { unstable: [], dead: [] })
  const all = { ...scope, deployment: 0, inspection: 0, lastKill: new Date(lastKill) }
  for (;;) {
    const unfinished = await findViolations(database, all, endRules)
    const pending = unfinished.length > 0 ? unfinished : await findOrphanedJobs(system)
    if (pending.length === 0) return []
    const elapsedMs = Date.now() - lastKill
    if (elapsedMs > maxSettleMs) return pending
    if (elapsedMs > settleTimeoutMs) {
      // A job for finished work is harmless and is removed when it expires in the queue.
      const abandoned = await findViolations(database, all, workerRules)
      if (abandoned.length > 0) return abandoned
    }
    await sleep(250)
  }
}

/** Finds jobs for finished work. */
async function findOrphanedJobs(system: SystemUnderFaults): Promise<readonly string[]> {
  const known = await listJobs(system).catch(() => null)
  // Redis or Postgres has just been killed.
  if (known === null) return ['the job queue does not respond']
  const jobs = known.filter(
    ({ queue, state }) => queue !== 'monitoring' && !['completed', 'failed'].includes(state),
  )
  const { rows } = await system.database.db.execute<{ id: string }>(sql`
    select 'inspection-' || id as id from inspections where state in ('waiting', 'running')
    union all select 'deployment-' || id from deployments where state in ('waiting', 'running')
    union all select 'alert-' || id from alerts where sent_at is null and failed_at is null`)
  const pendingIds = new Set(rows.map(({ id }) => id))
  return jobs
    .filter(({ id }) => !pendingIds.has(id))
    .map(({ queue, id, state }) => `${queue} has ${id}, ${state}`)
}

/** When a worker was killed until its successor ran, in milliseconds since 1970. */
export interface KillTime {
  readonly from: number
  readonly to: number
}

/** How long it may take to record a message after the channel accepted it. */
const recordDelayMs = 2_000

/**
 * Counts messages that were sent again, which is allowed only if a worker was killed just after the channel accepted one.
 * @param kills by SIGKILL; on SIGTERM, a worker records what it has sent
 */
export async function countResentMessages(system: SystemUnderFaults, kills: readonly KillTime[]) {
  // A message may have been sent but not yet recorded.
  for (let tries = 10; ; tries--) {
    const messages = await readMessages(system)
    const { rows } = await system.database.db.execute<{ sent: number }>(
      sql`select count(*)::int as sent from alerts where sent_at is not null`,
    )
    const resent = messages.length - (rows[0]?.sent ?? 0)
    const unexplained = resent - countExplained(messages, kills)
    if (unexplained <= 0 || tries === 0) return { count: resent, unexplained }
    await sleep(1_000)
  }
}

/** Counts repeated messages whose predecessor was sent just before a kill. */
function countExplained(messages: readonly Message[], kills: readonly KillTime[]): number {
  const last = new Map<string, number>()
  let count = 0
  for (const { at, channel, recipient, subject, text } of messages) {
    const key = JSON.stringify([channel, recipient, subject, text])
    const before = last.get(key)
    if (before !== undefined && kills.some(({ from, to }) => before > from - recordDelayMs && before < to))
      count += 1
    last.set(key, Date.parse(at))
  }
  return count
}

/** All messages that the channels received. */
async function readMessages({ folder }: SystemUnderFaults): Promise<readonly Message[]> {
  const lines = (await readFile(join(folder, 'messages/messages.jsonl'), 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Message)
}

async function listJobs({ databaseUrl, redisUrl }: SystemUnderFaults) {
  const queueClient = await openQueues({ databaseUrl, redisUrl, onError: () => undefined }, queues)
  try {
    return await queueClient.list()
  } finally {
    await queueClient.close()
  }
}
