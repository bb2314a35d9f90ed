import type { NewJob, QueueWork, Run } from '@kustos/clients/queue'
import type { QueueName } from '@kustos/contract/queue'
import { z } from 'zod'

export type { QueueWork } from '@kustos/clients/queue'

/** A kind of job: which queue it goes through, and what it has to be told. */
export interface JobDefinition<Payload extends z.ZodType> {
  readonly queue: QueueName
  readonly name: string
  readonly payload: Payload
}

/** Declares a job beside its feature. */
export const defineJob = <Payload extends z.ZodType>(
  definition: JobDefinition<Payload>,
): JobDefinition<Payload> => definition

/**
 * A job to hand over.
 * @param id one of its kind at a time
 * @param requestId of the request that asks for it, beside what the job has to be told
 */
export const jobOf = <Payload extends z.ZodType>(
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

/** The id of the request that a job was asked for by, where there was one and it is still known. */
export const requestIdOf = (data: unknown): string | undefined => asked.safeParse(data).data?.request_id

/** What a worker does with a job of this kind, once its payload has been read. */
export interface JobHandler {
  readonly queue: QueueName
  readonly name: string
  run(data: unknown, signal: AbortSignal): Promise<Run>
}

/** @throws by `run` where a payload does not fit, which fails the job */
export const handle = <Payload extends z.ZodType>(
  { queue, name, payload }: JobDefinition<Payload>,
  run: (data: z.output<Payload>, signal: AbortSignal) => Promise<Run>,
): JobHandler => ({ queue, name, run: (data, signal) => run(payload.parse(data), signal) })

/** One queue's work out of the handlers of its jobs. */
export function workOf(queue: QueueName, concurrency: number, handlers: readonly JobHandler[]): QueueWork {
  const known = new Map(
    handlers.filter((handler) => handler.queue === queue).map((handler) => [handler.name, handler]),
  )
  return {
    queue,
    concurrency,
    run({ name, data }, signal) {
      const handler = known.get(name)
      if (!handler) throw new Error(`Nobody knows the job ${name}`)
      return handler.run(data, signal)
    },
  }
}
