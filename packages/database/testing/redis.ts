import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll } from 'vitest'
import { findEngine } from './engine.ts'
import { freePort, waitForPort } from './port.ts'

export interface TestRedis {
  readonly url: string
  stop(): Promise<void>
}

/**
 * A Redis for one test file, stopped after its last test: in a container if a container engine responds, otherwise the
 * `redis-server` on the PATH; null if there is neither.
 */
export async function testRedis(): Promise<TestRedis | null> {
  const engine = await findEngine()
  const redis = engine === null ? await startProgram() : await startContainer(engine).catch(startInstead)
  if (redis) afterAll(() => redis.stop())
  return redis
}

/** An engine may be unable to reach its registry. */
function startInstead(error: unknown): Promise<TestRedis | null> {
  process.stderr.write(`The container engine cannot start Redis (${String(error)}): using the program.\n`)
  return startProgram()
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

async function startProgram(): Promise<TestRedis | null> {
  const port = await freePort()
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  )
  const exited = new Promise<'exited'>((resolve) => child.once('exit', () => resolve('exited')))
  // If the program is missing, there is an error event instead of an exit.
  const missing = new Promise<'missing'>((resolve) => child.once('error', () => resolve('missing')))
  const stopWaiting = new AbortController()
  const first = await Promise.race([waitForPort(port, stopWaiting.signal), missing, exited])
  stopWaiting.abort()
  if (first === 'missing') return null
  if (first === 'exited') throw new Error(`redis-server ended with ${child.exitCode}`)
  return { url: `redis://127.0.0.1:${port}`, stop: () => end(child, exited) }
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  await exited
}
