import type { Context } from '@kustos/domain/platform/context'
import type { WorkerServices } from '@kustos/domain/services'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { instrument } from '../src/instrument.ts'
import { openMeter } from '../src/job-metrics.ts'
import { deploymentWork } from '../src/jobs/deployment.ts'

/** Runs a job. @returns its log lines and the number of each outcome */
async function runInstrumented(run: () => Promise<'done'>, data: object = {}) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const registry = new Registry()
  const work = instrument(
    { queue: 'inspection', concurrency: 1, run },
    log,
    openMeter(registry, ['inspection'], []),
  )
  const ended = await work
    .run({ name: 'inspection', id: 'inspection-1', data, dueAt: new Date() }, new AbortController().signal)
    .catch((error: Error) => ({ failed: error.message }))
  const counts = (await registry.metrics()).matchAll(/duration_seconds_count\{.*outcome="(\w+)"\} (\d+)/g)
  return {
    ended,
    lines,
    outcomes: Object.fromEntries(
      [...counts].map(([, outcome, count]) => [outcome, Number(count)]).filter(([, count]) => count !== 0),
    ),
  }
}

/** Fails like the database driver. */
const failWith = (message: string, code: string) => () =>
  Promise.reject(Object.assign(new Error(message), { code }))

test.each([
  ['is away', failWith('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED')],
  ['is shutting down', failWith('terminating connection due to administrator command', '57P01')],
  ['is full', failWith('could not extend file', '53100')],
  ['is busy', failWith('canceling statement due to lock timeout', '55P03')],
])('treats a job whose database %s as delayed, not as a fault', async (_, run) => {
  const { ended, lines, outcomes } = await runInstrumented(run)
  expect(ended).toEqual({ failed: 'The database is temporarily unavailable. Try again.' })
  expect(outcomes).toEqual({ database_unavailable: 1 })
  expect(lines).toMatchObject([
    { level: 40, outcome: 'database_unavailable', msg: 'database was unavailable to the job' },
  ])
})

test('logs any other failure of a job as a fault, with its stack', async () => {
  const { lines, outcomes } = await runInstrumented(failWith('column "x" does not exist', '42703'))
  expect(outcomes).toEqual({ error: 1 })
  expect(lines).toMatchObject([
    { level: 50, outcome: 'error', msg: 'job failed unexpectedly', err: { stack: expect.any(String) } },
  ])
})

test.each([
  ['its request', { request_id: 'req-7' }, 'req-7'],
  ['itself without one', {}, 'inspection-1'],
])('shows in the list of jobs where the log explains a fault: under the id of %s', async (_, data, id) => {
  const { ended } = await runInstrumented(failWith('column "x" does not exist', '42703'), data)
  expect(ended).toEqual({ failed: `Internal error. See the log under ${id}.` })
})

test('counts every outcome from 0, because an increase is lost on Prometheus if its first value is 1', async () => {
  const registry = new Registry()
  openMeter(registry, ['inspection'], ['archive-log'])
  const text = await registry.metrics()
  for (const outcome of ['done', 'failed', 'retried', 'database_unavailable', 'error'])
    expect(text).toContain(`kustos_job_duration_seconds_count{queue="inspection",outcome="${outcome}"} 0`)
  for (const outcome of ['done', 'failed'])
    expect(text).toContain(`kustos_task_duration_seconds_count{task="archive-log",outcome="${outcome}"} 0`)
})

test('leaves a job of another release to the workers of that one for an hour', async () => {
  const work = deploymentWork({} as Context, {} as WorkerServices)
  const run = (minutes: number) =>
    work.run(
      { name: 'newerJob', id: 'newer-1', data: {}, dueAt: new Date(Date.now() - minutes * 60_000) },
      new AbortController().signal,
    )
  expect(await run(59)).toEqual({ retryInMs: 5_000 })
  await expect(run(61)).rejects.toThrow('The job newerJob has no handler')
})
