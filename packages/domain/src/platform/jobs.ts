import type { JobOutcome, NewJob, QueueWork } from '@kustos/clients/queue'
import type { JobName, QueueName } from '@kustos/contract/queue'
import { z } from 'zod'

export type { QueueWork } from '@kustos/clients/queue'

export interface JobDefinition<Payload extends z.ZodType> {
  readonly queue: QueueName
  readonly name: JobName
  readonly payload: Payload
}

/** Declares a kind of job. */
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

export interface JobHandler {
  readonly queue: QueueName
  readonly name: string
  run(data: unknown, signal: AbortSignal): Promise<JobOutcome>
}

/** @param run is called with the parsed payload; a payload that does not match fails the job */
export const createJobHandler = <Payload extends z.ZodType>(
  { queue, name, payload }: JobDefinition<Payload>,
  run: (data: z.output<Payload>, signal: AbortSignal) => Promise<JobOutcome>,
): JobHandler => ({ queue, name, run: (data, signal) => run(payload.parse(data), signal) })

export function createQueueWork(
  queue: QueueName,
  concurrency: number,
  handlers: readonly JobHandler[],
): QueueWork {
  const known = new Map(
    handlers.filter((handler) => handler.queue === queue).map((handler) => [handler.name, handler]),
  )
  return {
    queue,
    concurrency,
    run({ name, data }, signal) {
      const handler = known.get(name)
      if (!handler) throw new Error(`The job ${name} has no handler`)
      return handler.run(data, signal)
    },
  }
}
