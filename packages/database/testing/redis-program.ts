import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, waitForPort } from './port.ts'

const run = promisify(execFile)

export interface RedisProgram {
  /** As `REDIS_URL` takes it. */
  readonly url: string
  /** Ends it and starts it again, empty, on the same port. Of a cluster, one server after the other. */
  restart(signal: NodeJS.Signals): Promise<void>
  stop(): Promise<void>
}

/** The `redis-server` on the PATH without persistence, the worst case for lost jobs; null if there is none. */
export async function startRedisProgram(options: readonly string[] = []): Promise<RedisProgram | null> {
  const port = await freePort()
  // Where a server of a cluster remembers the others.
  const folder = await mkdtemp(join(tmpdir(), 'kustos-redis-'))
  const argv = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options]
  const start = async () => {
    const child = spawn('redis-server', argv, { stdio: 'ignore', cwd: folder })
    const exited = once(child, 'exit').then(
      () => 'exited' as const,
      () => 'missing' as const,
    )
    const stopWaiting = new AbortController()
    const first = await Promise.race([waitForPort(port, stopWaiting.signal), exited])
    stopWaiting.abort()
    if (first === 'exited') throw new Error(`redis-server ended with ${child.exitCode}`)
    return first === 'missing' ? null : child
  }
  let child = await start()
  if (child === null) {
    await rm(folder, { recursive: true })
    return null
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart(signal) {
      await end(child, signal)
      child = await start()
    },
    async stop() {
      await end(child, 'SIGKILL')
      await rm(folder, { recursive: true })
    },
  }
}

/** A Redis Cluster of three such servers, without replicas. */
export async function startRedisCluster(): Promise<RedisProgram | null> {
  const found: (RedisProgram | null)[] = []
  for (const _ of Array(3)) {
    const busPort = await freePort()
    found.push(await startRedisProgram(['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]))
  }
  const servers = found.filter((server) => server !== null)
  if (servers.length === 0) return null
  const addresses = servers.map(({ url }) => new URL(url).host)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'])
  // They agree a while later.
  for (const address of addresses)
    while (
      !(await run('redis-cli', ['-u', `redis://${address}`, 'cluster', 'info'])).stdout.includes(
        'cluster_state:ok',
      )
    )
      await sleep(50)
  let next = 0
  return {
    url: `redis+cluster://${addresses.join(',')}`,
    restart: async (signal) => servers[next++ % servers.length]?.restart(signal),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}

async function end(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
