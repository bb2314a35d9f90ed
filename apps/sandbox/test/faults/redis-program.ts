import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '../system.ts'

export interface RedisProgram {
  readonly url: string
  /** Kills it and starts an empty one on the same port. */
  kill(signal: NodeJS.Signals): Promise<void>
  stop(): Promise<void>
}

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** A Redis without persistence, the worst case for lost jobs. */
export async function startRedis(): Promise<RedisProgram> {
  const port = await freePort()
  const start = () =>
    spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    })
  let child: ChildProcess = start()
  const url = `redis://127.0.0.1:${port}`
  await waitUntilReady(url)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return {
    url,
    async kill(signal) {
      await end(signal)
      child = start()
      await waitUntilReady(url)
    },
    stop: () => end('SIGKILL'),
  }
}

async function waitUntilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(20)) {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.ping()
      return
    } catch {
      // It does not listen yet.
    } finally {
      client.disconnect()
    }
  }
  throw new Error('Redis does not start')
}
