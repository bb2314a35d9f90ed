import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2, { type Connection } from 'ssh2'
import { afterAll, expect, test } from 'vitest'
import { openSshRunners } from '../src/runner/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-cut-'))
const keys = {
  host: ssh2.utils.generateKeyPairSync('ed25519'),
  user: ssh2.utils.generateKeyPairSync('ed25519'),
}

/** A node that says that a command has ended before it sends the rest of its output, as sshd may, and loses the connection. */
const connections = new Set<Connection>()
const server = new ssh2.Server({ hostKeys: [keys.host.private] }, (connection) => {
  connections.add(connection)
  connection.on('error', () => undefined).on('authentication', (attempt) => attempt.accept())
  connection.on('session', (accept) => {
    accept().on('exec', (acceptExec) => {
      const channel = acceptExec()
      channel.write('kustos: reserved\n')
      channel.once('data', () => {
        for (const stream of [channel, channel.stderr]) stream.write('kustos: started\n')
        channel.write('first line\nsecond l')
        channel.exit(0)
        setTimeout(() => connection.end(), 100)
      })
    })
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')

afterAll(async () => {
  for (const connection of connections) connection.end()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

test('does not take output for complete whose connection was cut after the exit code', async () => {
  const keyFile = join(folder, 'key')
  await writeFile(keyFile, keys.user.private, { mode: 0o600 })
  const [type, key] = keys.host.public.split(' ')
  const { port } = server.address() as AddressInfo
  const runners = openSshRunners({ user: 'root', keyFile, port })
  const lines: string[] = []
  const running = runners
    .node({ name: 'n1', plesk_fqdn: '127.0.0.1', host_key: `${type} ${key}` })
    .run(
      { argv: ['cat', 'list'], runId: 'cut', timeoutMs: 30_000 },
      { signal: new AbortController().signal, onLine: (_, text) => lines.push(text) },
    )
  await expect(running).rejects.toMatchObject({
    codedMessage: { code: 'ssh_lost_while_running', params: { node: 'n1' } },
  })
  expect(lines[0]).toBe('first line')
  await runners.close()
})
