import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openQueues } from '@kustos/clients/queue'
import { queues } from '@kustos/contract/queue'
import { sql } from 'drizzle-orm'
import type { Message } from '../../src/messages/store.ts'
import { broken, openSpan } from './invariants.ts'
import type { SystemUnderFaults } from './system-under-faults.ts'

/** What is not over so long after the last kill is stuck, unless a worker is at it. In milliseconds. */
export const patience = 60_000
/** What a worker is at is stuck too where it takes until then, and so is a job for work that is over. */
const longestWork = 3 * patience

const ends = [
  'a deployment ends',
  'an inspection that was asked for ends',
  'a round that began before the last kill is judged',
  'an alert is sent within a minute',
] as const
const workedOn = [
  'a deployment that has not ended is worked on',
  'an inspection that has not ended is worked on',
  // A round is judged without the shards that are late, and an alert is sent in no time: neither has an excuse.
  'a round that began before the last kill is judged',
  'an alert is sent within a minute',
] as const

/**
 * Waits until nothing is under way, the jobs for it included.
 * @param lastKill in milliseconds since 1970
 * @returns what is stuck: not over a minute after the last kill while no worker is at it, or not over after three
 */
export async function settle(system: SystemUnderFaults, lastKill: number): Promise<readonly string[]> {
  const { database } = system
  const span = await openSpan(database, { moody: [], dead: [] })
  const all = { ...span, deployment: 0, inspection: 0, lastKill: new Date(lastKill) }
  for (;;) {
    const under = await broken(database, all, ends)
    const left = under.length > 0 ? under : await orphans(system)
    if (left.length === 0) return []
    const passed = Date.now() - lastKill
    if (passed > longestWork) return left
    if (passed > patience) {
      // A job whose work is over stops nobody, and is found when its time in the queue is up.
      const alone = await broken(database, all, workedOn)
      if (alone.length > 0) return alone
    }
    await sleep(250)
  }
}

/** Jobs for work that is over. */
async function orphans(system: SystemUnderFaults): Promise<readonly string[]> {
  const known = await jobsOf(system).catch(() => null)
  // It has just been killed itself.
  if (known === null) return ['the job queue does not answer']
  const jobs = known.filter(
    ({ queue, state }) => queue !== 'monitoring' && !['completed', 'failed'].includes(state),
  )
  const { rows } = await system.database.db.execute<{ id: string }>(sql`
    select 'inspection-' || id as id from inspections where state in ('waiting', 'running')
    union all select 'deployment-' || id from deployments where state in ('waiting', 'running')
    union all select 'alert-' || id from alerts where sent_at is null and failed_at is null`)
  const alive = new Set(rows.map(({ id }) => id))
  return jobs.filter(({ id }) => !alive.has(id)).map(({ queue, id, state }) => `${queue} has ${id}, ${state}`)
}

/** A moment in which a worker was killed, in milliseconds since 1970: from just before until another one ran. */
export interface Killing {
  readonly from: number
  readonly to: number
}

/** How long the note of a message takes to be written after the channel took it. In milliseconds. */
const noting = 2_000

/**
 * A message may be sent again where a worker was killed in the moment after the channel took it, and nowhere else.
 * @param killings by SIGKILL; a process that is asked to exit records what it has sent
 * @returns how many were sent again, and how many of them no kill explains
 */
export async function messagesSentAgain(system: SystemUnderFaults, killings: readonly Killing[]) {
  // What is under way at this moment has come, and is not noted yet.
  for (let tries = 10; ; tries--) {
    const messages = await messagesOf(system)
    const { rows } = await system.database.db.execute<{ sent: number }>(
      sql`select count(*)::int as sent from alerts where sent_at is not null`,
    )
    const again = messages.length - (rows[0]?.sent ?? 0)
    const unexplained = again - againAfter(messages, killings)
    if (unexplained <= 0 || tries === 0) return { again, unexplained }
    await sleep(1_000)
  }
}

/** Of the messages that came like an earlier one, those whose earlier one came just before a kill. */
function againAfter(messages: readonly Message[], killings: readonly Killing[]): number {
  const last = new Map<string, number>()
  let count = 0
  for (const { at, channel, recipient, subject, text } of messages) {
    const key = JSON.stringify([channel, recipient, subject, text])
    const before = last.get(key)
    if (before !== undefined && killings.some(({ from, to }) => before > from - noting && before < to))
      count += 1
    last.set(key, Date.parse(at))
  }
  return count
}

/** The sinks hold each message that came; the rows each that was sent. */
async function messagesOf({ folder }: SystemUnderFaults): Promise<readonly Message[]> {
  const lines = (await readFile(join(folder, 'messages/messages.jsonl'), 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Message)
}

async function jobsOf({ databaseUrl, redisUrl }: SystemUnderFaults) {
  const open = await openQueues({ databaseUrl, redisUrl, onError: () => undefined }, queues)
  try {
    return await open.list()
  } finally {
    await open.close()
  }
}
