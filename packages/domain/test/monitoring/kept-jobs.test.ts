import { openQueues, startQueueWorkers } from '@kustos/clients/queue'
import { testDatabase } from '@kustos/database/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { probeShard, probeShardJob } from '../../src/monitoring/jobs.ts'

const { url } = await testDatabase()

test('keeps only the last completed jobs of probes, of which many are added every minute', async () => {
  const settings = { databaseUrl: url, onError: () => undefined }
  const queues = await openQueues(settings, [probeShard.queue])
  onTestFinished(() => queues.close())
  const now = new Date()
  const jobs = Array.from({ length: 70 }, (_, shard) => {
    const at = now.toISOString()
    return probeShardJob({ round_at: at, shard, shards: 70, interval: 60, begins_at: at, spread: 0 }, now)
  })
  await queues.addAll(probeShard.queue, jobs)
  let done = 0
  const run = async () => {
    done += 1
    return 'done' as const
  }
  const workers = await startQueueWorkers(settings, [{ queue: probeShard.queue, concurrency: 1, run }])
  await vi.waitFor(() => expect(done).toBe(jobs.length), 30_000)
  await workers.stop()
  expect(await queues.list()).toHaveLength(60)
})
