import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { findEngine } from './engine.ts'

export interface TestRedis {
  readonly url: string
  stop(): Promise<void>
}

/**
 * A Redis for one test file, ended after its last test: in a container where a container engine answers, else the
 * `redis-server` on the PATH.
 */
export async function testRedis(): Promise<TestRedis> {
  const engine = await findEngine()
  const redis = engine === null ? await startProgram() : await startContainer(engine)
  afterAll(() => redis.stop())
  return redis
}

async function startContainer(engine: string): Promise<TestRedis> {
  process.env.DOCKER_HOST ??= engine
  if (engine.includes('podman')) process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer } = await import('testcontainers')
  const container = await new GenericContainer('redis:8-bookworm').withExposedPorts(6379).start()
  return {
    url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    stop: async () => {
      await container.stop()
    },
  }
}

async function startProgram(): Promise<TestRedis> {
  const port = await freePort()
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () =>
      reject(new Error('There is no redis-server on the PATH, and no container engine.')),
    )
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
  })
  // It also ends when stopped, which nobody waits for then.
  failed.catch(() => undefined)
  await Promise.race([answers(port), failed])
  return { url: `redis://127.0.0.1:${port}`, stop: () => end(child, ended) }
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

async function answers(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (open) return
    await sleep(30)
  }
}
