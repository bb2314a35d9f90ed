import type { Job, Queues } from '@kustos/clients/queue'
import { type DeploymentKind, type DeploymentState, deploymentKinds } from '@kustos/contract/deployment'
import { inspectionKinds } from '@kustos/contract/inspections'
import { type JobState, type QueueJob, type QueueName, queues } from '@kustos/contract/queue'
import { deployments, users } from '@kustos/database/tables'
import { eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { presentRequester } from '../deployment/index.ts'
import type { Context } from '../platform/context.ts'
import { throwQueueFailure } from '../platform/queue-failure.ts'
import { serializeDates } from '../platform/serialize-dates.ts'

const jobData = z.object({
  deployment: z.int().optional(),
  kind: z.enum(deploymentKinds).optional(),
  inspects: z.enum(inspectionKinds).optional(),
  fqdn: z.string().optional(),
  web_id: z.int().nullable().optional(),
})

/** The words of deployments for those of the queue. */
const states = {
  waiting: 'waiting',
  delayed: 'delayed',
  active: 'running',
  failed: 'failed',
  completed: 'succeeded',
} as const satisfies Readonly<Record<Job['state'], JobState>>

const isOurs = (name: string): name is QueueName => queues.some((queue) => queue === name)

/**
 * Lists jobs for many simultaneous callers, since every open queue screen reloads with every change: one read at a time,
 * while all callers that arrive during it share the next one.
 */
export function createJobLister(open: Queues): (context: Context) => Promise<readonly QueueJob[]> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<readonly QueueJob[]> | undefined
  return (context) => {
    next ??= current.then(() => {
      const reading = listJobs(context, open)
      next = undefined
      // The next read waits for this one, even if it fails.
      current = reading.catch(() => undefined)
      return reading
    })
    return next
  }
}

/** The jobs of all queues, newest first. @throws DomainError unavailable while Redis is down */
async function listJobs({ db }: Context, open: Queues): Promise<readonly QueueJob[]> {
  const jobs = await open.list().catch(throwQueueFailure)
  // A waiting deployment starts its job again and again; its row has the number of real attempts.
  const ids = jobs.flatMap((job) => jobData.safeParse(job.data).data?.deployment ?? [])
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({
            id: deployments.id,
            kind: deployments.kind,
            state: deployments.state,
            attempts: deployments.attempts,
            web_id: deployments.web_id,
            requested_by: deployments.requested_by,
            email: users.email,
            started_at: deployments.started_at,
            ended_at: deployments.ended_at,
          })
          .from(deployments)
          .leftJoin(users, eq(users.id, deployments.requested_by))
          .where(inArray(deployments.id, ids))
  const known = new Map(rows.map((row) => [row.id, row]))
  return jobs
    .flatMap((job): QueueJob[] => {
      if (!isOurs(job.queue)) return []
      const data = jobData.safeParse(job.data).data ?? {}
      const row = data.deployment === undefined ? undefined : known.get(data.deployment)
      return [
        {
          id: job.id,
          queue: job.queue,
          displayName: [data.kind ?? data.inspects ?? job.name, data.fqdn]
            .filter((part) => part !== undefined)
            .join(' · '),
          attempts: row?.attempts ?? job.attempts,
          created_at: job.createdAt.toISOString(),
          // A job that has failed may have been cancelled, and one that is delayed is a deployment that waits for another.
          state: row === undefined ? states[job.state] : (row.state as DeploymentState),
          failed_reason: job.failedReason,
          web_id: row?.web_id ?? data.web_id ?? null,
          deployment_id: data.deployment ?? null,
          kind: (row?.kind as DeploymentKind | undefined) ?? null,
          requested_by: presentRequester(row?.requested_by ?? null, row?.email ?? null),
          ...serializeDates({ started_at: row?.started_at ?? null, ended_at: row?.ended_at ?? null }),
        },
      ]
    })
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
}
