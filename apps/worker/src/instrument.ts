import { isTransient } from '@kustos/database/client'
import { describeThrown, type QueueWork, readRequestId, readTraceparent } from '@kustos/domain/platform/jobs'
import { logWith } from '@kustos/domain/platform/logger'
import { beginSpan } from '@kustos/domain/platform/tracing'
import type { Logger } from 'pino'
import type { JobOutcome, Meter } from './job-metrics.ts'

type Ended = Awaited<ReturnType<QueueWork['run']>>

/** Jobs of this queue are too frequent to be logged and traced; evaluated rounds are logged on their own. */
const frequent = 'monitoring'

/**
 * Logs and measures each run of a job. Everything that it logs carries the job and the id of the request that
 * has caused it. The list of jobs shows of an error only where the log has it.
 */
export function instrument(work: QueueWork, log: Logger, meter: Meter): QueueWork {
  const { queue } = work
  return {
    ...work,
    run(job, signal) {
      const requestId = readRequestId(job.data)
      const span =
        queue === frequent
          ? null
          : beginSpan(`job ${job.name}`, {
              kind: 'consumer',
              attributes: {
                'messaging.destination.name': queue,
                'messaging.message.id': job.id,
                ...(requestId !== undefined && { 'kustos.request': requestId }),
              },
              traceparent: readTraceparent(job.data),
            })
      const bindings = {
        queue,
        job: job.id,
        ...(requestId !== undefined && { req_id: requestId }),
        ...(span !== null && { trace_id: span.traceId }),
      }
      const execute = async () => {
        const started = performance.now()
        meter.beginJob(queue)
        const end = (outcome: JobOutcome) => {
          const ms = performance.now() - started
          meter.endJob(queue, outcome, ms / 1000)
          span?.set({ 'kustos.outcome': outcome })
          if (outcome !== 'done' && outcome !== 'retried') span?.fail(outcome)
          span?.end()
          return { kind: job.name, outcome, ms: Math.round(ms) }
        }
        try {
          const ended = await work.run(job, signal)
          logOutcome(ended, end(outcomeOf(ended)))
          return ended
        } catch (error) {
          // No fault of Kustos: the job is enqueued again.
          if (isTransient(error))
            log.warn({ ...end('database_unavailable'), err: error }, 'database was unavailable to the job')
          else log.error({ ...end('error'), err: error }, 'job failed unexpectedly')
          return describeThrown(error, requestId, job.id)
        }
      }
      return logWith(bindings, () => (span === null ? execute() : span.run(execute)))
    },
  }

  function logOutcome(ended: Ended, fields: object): void {
    if (ended === 'done') log[queue === frequent ? 'debug' : 'info'](fields, 'job done')
    else if ('failed' in ended) log.warn({ ...fields, reason: ended.failed }, 'job failed')
    else log.debug({ ...fields, retryInMs: ended.retryInMs }, 'job will be retried')
  }
}

function outcomeOf(ended: Ended): JobOutcome {
  if (ended === 'done') return 'done'
  return 'failed' in ended ? 'failed' : 'retried'
}
