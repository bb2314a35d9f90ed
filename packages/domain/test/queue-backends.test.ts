import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openQueues, type QueueWork, startQueueWorkers } from '@kustos/clients/queue'
import { testDatabase, testRedis, testRedisCluster } from '@kustos/database/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../src/platform/context.ts'
import { throwQueueFailure } from '../src/platform/queue-failure.ts'
import { createJobLister } from '../src/queue/index.ts'

const database = await testDatabase()
const redis = await testRedis()
const cluster = await testRedisCluster()

const backends = [
  { name: 'Postgres', settings: { databaseUrl: database.url } },
  ...(redis ? [{ name: 'Redis', settings: { databaseUrl: database.url, redisUrl: redis.url } }] : []),
  ...(cluster
    ? [{ name: 'a Redis Cluster', settings: { databaseUrl: database.url, redisUrl: cluster.url } }]
    : []),
]

const quiet = { onError: () => undefined }

async function waitUntil(isMet: () => boolean | Promise<boolean>, timeoutMs = 30_000) {
  const until = Date.now() + timeoutMs
  while (!(await isMet())) {
    if (Date.now() > until) throw new Error('The condition was not met in time')
    await sleep(20)
  }
}

describe.each(backends)('jobs on $name', ({ settings }) => {
  const open = async () => {
    const queues = await openQueues({ ...settings, ...quiet }, ['deployment', 'monitoring'])
    onTestFinished(() => queues.close())
    return queues
  }
  /** A test that fails leaves no worker that would take the jobs of the next one. @returns how to stop it earlier */
  const work = async (run: QueueWork['run']) => {
    const workers = await startQueueWorkers({ ...settings, ...quiet }, [
      { queue: 'deployment', concurrency: 4, run },
    ])
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= workers.stop())
    onTestFinished(stop)
    return stop
  }

  test('runs a job once and frees its id afterwards', async () => {
    const queues = await open()
    const ran: string[] = []
    const job = { queue: 'deployment', name: 'runDeployment', id: 'once', data: { deployment: 1 } }
    // Before there is a worker, which could be done with the first one when the next is added.
    await Promise.all([queues.add(job), queues.add(job), queues.add(job)])
    await work(async ({ id }) => {
      ran.push(id)
      return 'done'
    })
    await waitUntil(async () => !(await queues.hasPendingJob('deployment', 'once')))
    expect(ran).toEqual(['once'])
    await queues.add(job)
    await waitUntil(() => ran.length === 2)
  })

  test('takes an urgent job before those that wait', async () => {
    const queues = await open()
    const ran: string[] = []
    for (const id of ['first', 'second', 'urgent'])
      await queues.add({ queue: 'monitoring', name: 'probeShard', id, data: {}, isUrgent: id === 'urgent' })
    const workers = await startQueueWorkers({ ...settings, ...quiet }, [
      {
        queue: 'monitoring',
        concurrency: 1,
        run: async ({ id }) => {
          ran.push(id)
          return 'done'
        },
      },
    ])
    onTestFinished(() => workers.stop())
    await waitUntil(() => ran.length === 3)
    expect(ran).toEqual(['urgent', 'first', 'second'])
  })

  test('delays a job that cannot start yet, and runs it at once when promoted', async () => {
    const queues = await open()
    let runs = 0
    await work(async ({ id }) => {
      if (id !== 'later') return 'done'
      runs += 1
      return runs === 1 ? { retryInMs: 60_000 } : 'done'
    })
    await queues.add({ queue: 'deployment', name: 'runDeployment', id: 'later', data: {} })
    await waitUntil(async () =>
      (await queues.list()).some((job) => job.id === 'later' && job.state === 'delayed'),
    )
    expect(await queues.hasPendingJob('deployment', 'later')).toBe(true)
    await queues.promote('deployment', 'later')
    await waitUntil(() => runs === 2)
  })

  test('lists a job once while it goes from one state to the next', async () => {
    const queues = await open()
    const until = Date.now() + 3_000
    await work(async () => (Date.now() < until ? { retryInMs: 0 } : 'done'))
    for (let job = 0; job < 10; job++)
      await queues.add({ queue: 'deployment', name: 'runDeployment', id: `moving-${job}`, data: {} })
    let reads = 0
    let repeated: readonly string[] = []
    while (Date.now() < until && repeated.length === 0) {
      const ids = (await queues.list()).map(({ id }) => id)
      repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
      reads += 1
    }
    expect(repeated).toEqual([])
    expect(reads).toBeGreaterThan(10)
  })

  test('lists a failed job with its reason and returns a stopped one to the queue', async () => {
    const queues = await open()
    let returned = 0
    const stopFirst = await work(async ({ id }, signal) => {
      if (id === 'bad') throw new Error('The node is on fire')
      if (id !== 'long') return 'done'
      // The job is active before it is run, so the worker may have been stopped in between.
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      returned += 1
      return { retryInMs: 0 }
    })
    await queues.add({ queue: 'deployment', name: 'runDeployment', id: 'bad', data: {} })
    await queues.add({ queue: 'deployment', name: 'runDeployment', id: 'long', data: {} })
    await waitUntil(async () => {
      const jobs = await queues.list()
      return (
        jobs.some((job) => job.id === 'long' && job.state === 'active') &&
        jobs.some((job) => job.id === 'bad')
      )
    })
    await waitUntil(async () =>
      (await queues.list()).some((job) => job.id === 'bad' && job.state === 'failed'),
    )
    expect((await queues.list()).find((job) => job.id === 'bad')).toMatchObject({
      failedReason: 'The node is on fire',
    })
    await stopFirst()
    expect(returned).toBe(1)
    const done: string[] = []
    await work(async ({ id }) => {
      done.push(id)
      return 'done'
    })
    await waitUntil(() => done.includes('long'))
  })
})

test('reports a PostgreSQL that goes down while workers start', async () => {
  const target = new URL(database.url)
  const sockets: Socket[] = []
  // Only the first connection, which prepares the queue, gets through; those that fetch jobs do not.
  const proxy = createServer((near) => {
    sockets.push(near)
    near.on('error', () => undefined)
    if (sockets.length > 1) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    far.on('error', () => near.destroy())
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const proxyUrl = new URL(database.url)
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String((proxy.address() as AddressInfo).port)
  const work = [{ queue: 'deployment', concurrency: 1, run: async () => 'done' as const }]
  await expect(startQueueWorkers({ databaseUrl: proxyUrl.href, ...quiet }, work)).rejects.toThrow()
  for (const socket of sockets) socket.destroy()
  proxy.close()
})

test('survives a PostgreSQL that ends a connection right after accepting it', async () => {
  const target = new URL(database.url)
  const sockets: Socket[] = []
  /** https://www.postgresql.org/docs/18/protocol-message-formats.html */
  const ready = Buffer.from('Z\0\0\0\x05I')
  const fields = Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
  )
  const ended = Buffer.concat([Buffer.from('E\0\0\0'), Buffer.from([fields.length + 4]), fields])
  // Only the first connection, which prepares the queue, lasts.
  const proxy = createServer((near) => {
    const lasts = sockets.push(near) === 1
    near.on('error', () => undefined)
    const far = connect(Number(target.port), target.hostname)
    far.on('error', () => near.destroy())
    near.pipe(far)
    far.on('data', (data: Buffer) => {
      // In one piece, so that nothing of ours runs between the two messages.
      if (!lasts && data.subarray(-ready.length).equals(ready)) near.end(Buffer.concat([data, ended]))
      else near.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const proxyUrl = new URL(database.url)
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String((proxy.address() as AddressInfo).port)
  const work = [{ queue: 'deployment', concurrency: 1, run: async () => 'done' as const }]
  await expect(startQueueWorkers({ databaseUrl: proxyUrl.href, ...quiet }, work)).rejects.toThrow()
})

test.for(['redis', 'redis+cluster'])('recognises an unavailable server of %s', async (scheme) => {
  const closedServer = createServer().listen(0, '127.0.0.1')
  await once(closedServer, 'listening')
  const { port } = closedServer.address() as AddressInfo
  closedServer.close()
  await once(closedServer, 'close')
  const settings = { databaseUrl: database.url, redisUrl: `${scheme}://127.0.0.1:${port}` }
  const queues = await openQueues({ ...settings, ...quiet }, ['deployment'])
  await expect(createJobLister(queues)(createContext(database))).rejects.toMatchObject({
    kind: 'unavailable',
    details: { retryAfterSeconds: 1 },
  })
  await Promise.race([queues.close().catch(() => undefined), sleep(1_000)])
})

test.skipIf(redis === null).each([
  ['memory left', 'maxmemory'],
  ['its replicas', 'min-replicas-to-write'],
])('a Redis without %s is unavailable', async (_, setting) => {
  const redisUrl = redis?.url ?? ''
  const { hostname, port } = new URL(redisUrl)
  const limit = async (value: 0 | 1) => {
    const [reply] = await once(
      connect(Number(port), hostname).end(`CONFIG SET ${setting} ${value}\r\n`),
      'data',
    )
    expect(String(reply)).toBe('+OK\r\n')
  }
  const queues = await openQueues({ databaseUrl: database.url, redisUrl, ...quiet }, ['deployment'])
  onTestFinished(() => queues.close())
  const add = () =>
    queues
      .add({ queue: 'deployment', name: 'runDeployment', id: setting, data: { deployment: 1 } })
      .catch(throwQueueFailure)
  await limit(1)
  try {
    await expect(add()).rejects.toMatchObject({ name: 'DomainError', kind: 'unavailable' })
  } finally {
    await limit(0)
  }
  await add()
})

test('a Redis that cannot save to its disk is unavailable', () => {
  const refusal = new Error('MISCONF Redis is configured to save RDB snapshots')
  expect(() => throwQueueFailure(refusal)).toThrow(expect.objectContaining({ kind: 'unavailable' }))
})
