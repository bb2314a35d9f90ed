import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import ssh2 from 'ssh2'
import { afterAll, expect, test, vi } from 'vitest'
import { openSshRunners, RunnerError, type Runners, type SshRunnersOptions } from '../src/runner/index.ts'
import { connect } from '../src/runner/ssh-connection.ts'
import { freePort } from './free-port.ts'
import { generateEd25519, startSshServer } from './runner-ssh-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-runner-ssh-'))
const server = await startSshServer(join(folder, 'ssh'))
const opened: Runners[] = []
afterAll(async () => {
  for (const runners of opened) await runners.close()
  await server.kill()
  // The last run may still write its output.
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
})

const address = { name: 'bz-cloud-01', plesk_fqdn: '127.0.0.1' }
const { keyFile, knownHostsFile, user, port } = server

function open(other: Partial<SshRunnersOptions> = {}) {
  const runsFolder = join(folder, 'runs')
  const runners = openSshRunners({ keyFile, knownHostsFile, user, port, runsFolder, ...other })
  opened.push(runners)
  return runners
}

let runs = 0
function run(
  runners: Runners,
  argv: [string, ...string[]],
  onLine: (text: string) => void = () => undefined,
) {
  runs += 1
  return runners
    .node(address)
    .run(
      { argv, runId: `run-${runs}`, timeoutMs: 30_000 },
      { signal: new AbortController().signal, onLine: (_source, text) => onLine(text) },
    )
}

async function catchReason(other: Partial<SshRunnersOptions>) {
  const error: unknown = await run(open(other), ['true']).catch((thrown: unknown) => thrown)
  if (!(error instanceof RunnerError)) throw error
  expect(error.codedMessage).toMatchObject({ params: { node: 'bz-cloud-01' } })
  return error.codedMessage
}
const unreachable = (reason: object) => ({ code: 'ssh_unreachable', params: { reason } })

async function writeKeyFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}
const readHostKey = async () => {
  const key = ssh2.utils.parseKey(server.hostKeys.at(-1) ?? '')
  if (key instanceof Error) throw key
  return key
}

test('rejects a host that is not pinned and shows its key', async () => {
  const empty = await writeKeyFile('empty', '')
  const params = { fingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/), file: empty }
  expect(await catchReason({ knownHostsFile: empty })).toMatchObject(
    unreachable({ code: 'ssh_host_key_unknown', params }),
  )
})

test('rejects a host with another key', async () => {
  const { type } = await readHostKey()
  const stranger =
    type === 'ssh-ed25519' ? generateEd25519() : ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const changed = await writeKeyFile('changed', `[127.0.0.1]:${port} ${stranger.public}\n`)
  expect(await catchReason({ knownHostsFile: changed })).toMatchObject(
    unreachable({ code: 'ssh_host_key_changed' }),
  )
})

test('rejects a host without a key of the pinned type', async () => {
  const rsa = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })
  const changed = await writeKeyFile('rsa', `[127.0.0.1]:${port} ${rsa.public}\n`)
  expect(await catchReason({ knownHostsFile: changed })).toMatchObject(
    unreachable({ code: 'ssh_host_key_type', params: { types: 'ssh-rsa' } }),
  )
})

test('accepts a host by any of its keys', async () => {
  for (const [index, key] of server.hostKeys.entries()) {
    const one = await writeKeyFile(`key-${index}`, `[127.0.0.1]:${port} ${key}\n`)
    expect(await run(open({ knownHostsFile: one }), ['true'])).toEqual({ kind: 'exited', code: 0 })
  }
})

test('reads the key that a host presents without signing in, of the type of the pinned one', async () => {
  const stranger = await writeKeyFile('nobody', generateEd25519().private)
  const runners = open({ keyFile: stranger, knownHostsFile: undefined })
  const bare = (key: string | undefined) => key?.split(' ').slice(0, 2).join(' ')
  expect(server.hostKeys.map(bare)).toContain(await runners.readHostKey(address))
  for (const key of server.hostKeys) {
    const [type] = key.split(' ')
    expect(await runners.readHostKey({ ...address, host_key: `${type} AAAA` })).toBe(bare(key))
  }
  await expect(runners.readHostKey({ ...address, ssh_port: await freePort() })).rejects.toMatchObject({
    codedMessage: { params: { reason: { code: 'ssh_refused' } } },
  })
})

test('names the address if nothing listens there', async () => {
  const unused = await freePort()
  expect(await catchReason({ port: unused })).toEqual({
    code: 'ssh_unreachable',
    params: { node: 'bz-cloud-01', user, host: '127.0.0.1', port: unused, reason: { code: 'ssh_refused' } },
  })
})

test('gives up a host that does not respond', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const at = silent.address()
  try {
    const silentPort = typeof at === 'object' && at !== null ? at.port : 0
    expect(await catchReason({ port: silentPort, connectTimeoutMs: 300 })).toMatchObject(
      unreachable({ code: 'ssh_timed_out' }),
    )
  } finally {
    silent.close()
  }
})

test('cancels a command without waiting for a host that does not respond', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const at = silent.address()
  const cancel = new AbortController()
  const runners = open({ port: typeof at === 'object' && at !== null ? at.port : 0, connectTimeoutMs: 2_000 })
  const running = runners
    .node(address)
    .run(
      { argv: ['true'], runId: 'cancelled', timeoutMs: 30_000 },
      { signal: cancel.signal, onLine: () => undefined },
    )
  setTimeout(() => cancel.abort(), 100)
  const outcome = await Promise.race([running, sleep(1_000, 'late')])
  silent.close()
  expect(outcome).toEqual({ kind: 'cancelled' })
})

test('reports a key that is not authorised', async () => {
  const stranger = generateEd25519()
  expect(await catchReason({ keyFile: await writeKeyFile('stranger', stranger.private) })).toMatchObject(
    unreachable({ code: 'ssh_key_refused' }),
  )
})

test('names an unusable key', async () => {
  const [missing, broken] = [join(folder, 'missing'), await writeKeyFile('broken', 'no key')]
  const names = (code: string, path: string) => ({ code, params: { file: path } })
  expect(await catchReason({ keyFile: missing })).toMatchObject(names('ssh_key_unreadable', missing))
  expect(await catchReason({ keyFile: broken })).toMatchObject(names('ssh_key_unusable', broken))
  expect(await catchReason({ knownHostsFile: missing })).toMatchObject(
    names('ssh_host_keys_unreadable', missing),
  )
})

test('shares a connection between commands, closes it when idle and reopens it', async () => {
  const runners = open({ idleTimeoutMs: 200 })
  const client: string[] = []
  const printClient = () => run(runners, ['printenv', 'SSH_CLIENT'], (line) => client.push(line))
  await printClient()
  await printClient()
  await sleep(600)
  await printClient()
  // SSH_CLIENT contains the port of the client; the server of the package ssh2 does not set it.
  expect(client[0]).toBe(client[1])
  if (client.length > 0) expect(client[2]).not.toBe(client[1])
})

test('names the node if its connection is lost during a command', async () => {
  const fleeting = await startSshServer(join(folder, 'fleeting'))
  const runners = open({
    port: fleeting.port,
    keyFile: fleeting.keyFile,
    knownHostsFile: fleeting.knownHostsFile,
  })
  const up = Promise.withResolvers<number>()
  const running = run(runners, ['sh', '-c', 'echo $$; exec sleep 600'], (line) => up.resolve(Number(line)))
  const outcome = running.catch((error: unknown) => error)
  const pid = await up.promise
  await fleeting.kill()
  expect(await outcome).toBeInstanceOf(RunnerError)
  await expect(running).rejects.toMatchObject({
    codedMessage: { code: 'ssh_lost_while_running', params: { node: 'bz-cloud-01' } },
  })
  // A connection that was accepted just before the kill is reset instead of refused.
  await vi.waitFor(() => expect(run(runners, ['true'])).rejects.toThrow('ssh_refused'), 30_000)
  process.kill(pid, 'SIGKILL')
})

test('does not reveal the private key', async () => {
  const secret = await readFile(keyFile, 'utf8')
  const reason = await catchReason({ knownHostsFile: await writeKeyFile('none', '') })
  expect(JSON.stringify(reason)).not.toContain(secret.slice(40, 80))
})

test('keeps nothing of commands that have ended on a connection that stays open', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const connection = await connect(address, { keyFile, knownHostsFile, user, port })
  const runToEnd = async () => {
    const process = await connection.exec('true')
    for (const stream of [process.out, process.err]) stream.resume()
    const closed = new Promise((resolve) => process.out.once('close', resolve))
    await Promise.all([process.ended, closed])
    return new WeakRef(process)
  }
  const ended: WeakRef<object>[] = []
  for (let count = 0; count < 10; count++) ended.push(await runToEnd())
  await vi.waitFor(() => {
    collectGarbage()
    // The last one may still be on the stack.
    expect(ended.slice(0, -1).filter((process) => process.deref() !== undefined)).toEqual([])
  }, 5_000)
  connection.close()
  await connection.lost
})
