import type { NewJob } from '@kustos/clients/queue'
import { timestamp } from '@kustos/contract/text'
import { z } from 'zod'
import { createJob, defineJob } from '../platform/jobs.ts'

/** Probes one shard of a round. The times are those that the scheduler set, so that a late worker knows that it is late. */
export const probeShard = defineJob({
  queue: 'monitoring',
  name: 'probeShard',
  payload: z.object({
    round_at: timestamp,
    shard: z.int().min(0),
    shards: z.int().min(1),
    /** The ids of its webs: from the first up to, but without, the last; null for no end. */
    ids: z.object({ from: z.int(), to: z.int().nullable() }).optional(),
    /** The interval of the rounds, in seconds. */
    interval: z.int().min(1),
    begins_at: timestamp,
    /** Milliseconds over which its probes are spread. */
    spread: z.int().min(0),
  }),
})
export type ProbeShard = z.output<typeof probeShard.payload>

/** Completed jobs that the queue keeps; a dozen are added every minute. */
const keptJobs = 60

export const probeShardJob = (payload: ProbeShard, now: Date): NewJob => ({
  ...createJob(
    probeShard,
    `probe-${Date.parse(payload.round_at) / 1000}-${payload.shard}-of-${payload.shards}`,
    payload,
  ),
  delayMs: Math.max(0, Date.parse(payload.begins_at) - now.getTime()),
  keepCompleted: keptJobs,
})

/** Announces the incidents that probes have opened since the last one. */
export const announceIncidentsJob = defineJob({
  queue: 'notification',
  name: 'announceIncidents',
  payload: z.object({}),
})

/** Incidents that are opened within this time are announced together. */
const announcementWindowMs = 2_000

/** One for all workers in each window, due at its end. */
export function announcementOf(now: Date): NewJob {
  const end = (Math.floor(now.getTime() / announcementWindowMs) + 1) * announcementWindowMs
  return {
    ...createJob(announceIncidentsJob, `announce-${end}`, {}),
    delayMs: end - now.getTime(),
    keepCompleted: keptJobs,
  }
}
