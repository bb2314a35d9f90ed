import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSshRunners } from '../src/runner/index.ts'
import { startSshServer } from './runner-ssh-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-silent-'))
const server = await startSshServer(join(folder, 'server'))

/** A proxy between a worker and its node that can stop forwarding, as if the node froze. */
const sockets = new Set<Socket>()
const proxy = createServer((near) => {
  const far = connect(server.port, '127.0.0.1')
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(socket)
    socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    socket.pipe(other)
  }
}).listen(0, '127.0.0.1')
await once(proxy, 'listening')
const { port } = proxy.address() as AddressInfo
function freeze(): void {
  for (const socket of sockets) socket.unpipe().pause()
}

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  proxy.close()
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

test('gives up a node that freezes during a command, and recovers the command later', async () => {
  const knownHostsFile = join(folder, 'known_hosts')
  await writeFile(knownHostsFile, server.hostKeys.map((key) => `[127.0.0.1]:${port} ${key}\n`).join(''))
  const runners = openSshRunners({
    user: server.user,
    keyFile: server.keyFile,
    knownHostsFile,
    port,
    keepAliveMs: 200,
    connectTimeoutMs: 2_000,
    runsFolder: join(folder, 'runs'),
  })
  const node = runners.node({ name: 'bz-cloud-01', plesk_fqdn: '127.0.0.1' })
  const output = Promise.withResolvers<void>()
  try {
    const running = node.run(
      { argv: ['sh', '-c', 'echo begun; sleep 0.3'], runId: 'frozen', timeoutMs: 30_000 },
      { signal: new AbortController().signal, onLine: () => output.resolve() },
    )
    await output.promise
    freeze()
    await expect(running).rejects.toMatchObject({
      codedMessage: { code: 'ssh_lost_while_running', params: { node: 'bz-cloud-01' } },
    })
    await expect.poll(() => node.recover('frozen'), { timeout: 10_000 }).toBe('succeeded')
  } finally {
    await runners.close()
  }
})
