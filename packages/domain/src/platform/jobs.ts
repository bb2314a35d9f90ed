import type { JobOutcome, NewJob, QueueWork } from '@kustos/clients/queue'
import type { JobName, QueueName } from '@kustos/contract/queue'
import { z } from 'zod'

export type { QueueWork } from '@kustos/clients/queue'

/** A kind of job; each has a queue of its own. */
export interface JobDefinition<Payload extends z.ZodType> {
  readonly queue: QueueName
  readonly name: JobName
  readonly payload: Payload
}

export const defineJob = <Payload extends z.ZodType>(
  definition: JobDefinition<Payload>,
): JobDefinition<Payload> => definition

/**
 * @param id unique among the unfinished jobs of the queue
 * @param requestId of the request that causes the job
 */
export const createJob = <Payload extends z.ZodType>(
  { queue, name }: JobDefinition<Payload>,
  id: string,
  data: z.input<Payload> & object,
  requestId?: string,
): NewJob => ({
  queue,
  name,
  id,
  data: requestId === undefined ? data : { ...data, request_id: requestId },
})

const asked = z.object({ request_id: z.string() })

/** @returns the id of the request that has caused a job, if any */
export const requestIdOf = (data: unknown): string | undefined => asked.safeParse(data).data?.request_id

/**
 * Lets a worker process take jobs of this kind.
 * @param run is called with the parsed payload; a payload that does not match fails the job
 */
export const createQueueWork = <Payload extends z.ZodType>(
  { queue, name, payload }: JobDefinition<Payload>,
  concurrency: number,
  run: (data: z.output<Payload>, signal: AbortSignal) => Promise<JobOutcome>,
): QueueWork => ({
  queue,
  concurrency,
  run(job, signal) {
    if (job.name !== name) throw new Error(`The job ${job.name} has no handler`)
    return run(payload.parse(job.data), signal)
  },
})
