import type { JobOutcome, NewJob, QueueWork } from '@kustos/clients/queue'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import type { JobName, QueueName } from '@kustos/contract/queue'
import { isTransient } from '@kustos/database/client'
import { storableText } from '@kustos/database/storable-text'
import { z } from 'zod'
import { currentTraceparent } from './tracing/index.ts'

export { type QueueWork, queueConnections } from '@kustos/clients/queue'

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
 * The job carries the trace of the request or job that causes it.
 * @param id unique among the unfinished jobs of the queue
 * @param requestId of the request that causes the job
 */
export const createJob = <Payload extends z.ZodType>(
  { queue, name }: JobDefinition<Payload>,
  id: string,
  data: z.input<Payload> & object,
  requestId?: string,
): NewJob => {
  const traceparent = currentTraceparent()
  return {
    queue,
    name,
    id,
    data: {
      ...data,
      ...(requestId !== undefined && { request_id: requestId }),
      ...(traceparent !== undefined && { traceparent }),
    },
  }
}

const asked = z.object({ request_id: z.string() })
const traced = z.object({ traceparent: z.string() })

/** @returns the id of the request that has caused a job, if any */
export const readRequestId = (data: unknown): string | undefined => asked.safeParse(data).data?.request_id

/** @returns the span that has caused a job, if any */
export const readTraceparent = (data: unknown): string | undefined => traced.safeParse(data).data?.traceparent

/**
 * Tells staff where the log has an error that is not meant for users.
 * @param requestId of the request that has caused the job; without one the log has the error under the job's own id
 */
export const unexpectedFailure = (requestId: string | undefined, jobId: string): Message =>
  message('unexpected_failure', { requestId: requestId ?? jobId })

/** Returns what the list of jobs shows for a job that has thrown. */
export const describeThrown = (error: unknown, requestId: string | undefined, jobId: string): JobOutcome => ({
  failed: englishText(
    isTransient(error) ? message('database_unavailable') : unexpectedFailure(requestId, jobId),
  ),
})

/** A job of another name is left to workers of its release for this long, as while an upgrade replaces the workers one by one. */
const foreignJobTtlMs = 3_600_000
const foreignJobDelayMs = 5_000

/**
 * Lets a worker process take jobs of this kind. One of another name is retried for an hour.
 * @param run is called with the parsed payload; a payload that does not match fails the job
 */
export const createQueueWork = <Payload extends z.ZodType>(
  { queue, name, payload }: JobDefinition<Payload>,
  concurrency: number,
  run: (data: z.output<Payload>, signal: AbortSignal, requestId: string | undefined) => Promise<JobOutcome>,
): QueueWork => ({
  queue,
  concurrency,
  async run(job, signal) {
    if (job.name !== name) {
      if (Date.now() - job.dueAt.getTime() < foreignJobTtlMs) return { retryInMs: foreignJobDelayMs }
      throw new Error(`The job ${job.name} has no handler`)
    }
    const outcome = await run(payload.parse(job.data), signal, readRequestId(job.data))
    // The queue may be in Postgres, and cannot end a job whose reason it cannot store.
    return typeof outcome === 'object' && 'failed' in outcome
      ? { failed: storableText(outcome.failed) }
      : outcome
  },
})
