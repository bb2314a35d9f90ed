import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openQueues } from '@kustos/clients/queue'
import { queues } from '@kustos/contract/queue'
import { sql } from 'drizzle-orm'
import { broken, openSpan } from './invariants.ts'
import type { SystemUnderFaults } from './system-under-faults.ts'

/** What is not over so long after the last kill is stuck, unless a worker is at it. In milliseconds. */
export const patience = 60_000
/** What a worker is at is stuck too where it takes until then. */
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
  const span = await openSpan(database, [])
  const all = { ...span, deployment: 0, inspection: 0, lastKill: new Date(lastKill) }
  for (;;) {
    const under = await broken(database, all, ends)
    const left = under.length > 0 ? under : await orphans(system)
    if (left.length === 0) return []
    const passed = Date.now() - lastKill
    if (passed > longestWork) return left
    if (passed > patience) {
      // Nobody is at a job whose work is over.
      const alone = under.length > 0 ? await broken(database, all, workedOn) : left
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

/** The sinks hold each message that came; the rows each that was sent. */
export async function messagesSentAgain(system: SystemUnderFaults): Promise<number> {
  const lines = (await readFile(join(system.folder, 'messages/messages.jsonl'), 'utf8')).split('\n')
  const { rows } = await system.database.db.execute<{ sent: number }>(
    sql`select count(*)::int as sent from alerts where sent_at is not null`,
  )
  return lines.filter(Boolean).length - (rows[0]?.sent ?? 0)
}

async function jobsOf({ databaseUrl, redisUrl }: SystemUnderFaults) {
  const open = await openQueues({ databaseUrl, redisUrl, onError: () => undefined }, queues)
  try {
    return await open.list()
  } finally {
    await open.close()
  }
}
