import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { afterAll, expect, test, vi } from 'vitest'
import { openSshRunners, RunnerError, type Runners, type SshRunnersOptions } from '../src/runner/index.ts'
import { freePort } from './free-port.ts'
import { generateEd25519, startSshServer } from './runner-ssh-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-runner-ssh-'))
const server = await startSshServer(join(folder, 'ssh'))
const opened: Runners[] = []
afterAll(async () => {
  for (const runners of opened) await runners.close()
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

const address = { name: 'bz-cloud-01', plesk_fqdn: '127.0.0.1' }
const { keyFile, knownHostsFile, user, port } = server

function open(other: Partial<SshRunnersOptions> = {}) {
  const folders = { controllerFolder: join(folder, 'controller'), runsFolder: join(folder, 'runs') }
  const runners = openSshRunners({ keyFile, knownHostsFile, user, port, ...folders, ...other })
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
      { argv, run: `run-${runs}`, timeoutMs: 30_000 },
      { signal: new AbortController().signal, onLine: (_source, text) => onLine(text) },
    )
}

async function refusal(other: Partial<SshRunnersOptions>): Promise<string> {
  const error: unknown = await run(open(other), ['true']).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RunnerError)
  const { message } = error instanceof Error ? error : { message: '' }
  expect(message).toContain('bz-cloud-01 cannot be reached')
  return message
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}
const keyOf = async () => {
  const key = ssh2.utils.parseKey(server.hostKeys.at(-1) ?? '')
  if (key instanceof Error) throw key
  return key
}

test('refuses a host that is not pinned and shows its key', async () => {
  const empty = await file('empty', '')
  expect(await refusal({ knownHostsFile: empty })).toMatch(
    /it shows the key SHA256:[A-Za-z0-9+/]{43}, and none is pinned for it in .*empty\.$/,
  )
})

test('refuses a host with another key', async () => {
  const { type } = await keyOf()
  const stranger =
    type === 'ssh-ed25519' ? generateEd25519() : ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const changed = await file('changed', `[127.0.0.1]:${port} ${stranger.public}\n`)
  expect(await refusal({ knownHostsFile: changed })).toContain('but another one is pinned')
})

test('refuses a host without a key of the pinned type', async () => {
  const rsa = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })
  const changed = await file('rsa', `[127.0.0.1]:${port} ${rsa.public}\n`)
  expect(await refusal({ knownHostsFile: changed })).toContain('no key of the type that is pinned (ssh-rsa)')
})

test('recognises a host by each of its keys', async () => {
  for (const [index, key] of server.hostKeys.entries()) {
    const one = await file(`key-${index}`, `[127.0.0.1]:${port} ${key}\n`)
    expect(await run(open({ knownHostsFile: one }), ['true'])).toEqual({ how: 'exited', code: 0 })
  }
})

test('names an address where nothing listens', async () => {
  const unused = await freePort()
  expect(await refusal({ port: unused })).toContain(
    `(${user}@127.0.0.1, port ${unused}): nothing listens there`,
  )
})

test('gives up a host that does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const at = silent.address()
  try {
    const silentPort = typeof at === 'object' && at !== null ? at.port : 0
    expect(await refusal({ port: silentPort, connectTimeoutMs: 300 })).toContain('does not answer in time')
  } finally {
    silent.close()
  }
})

test('cancels a command without waiting for a host that does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const at = silent.address()
  const cancel = new AbortController()
  const runners = open({ port: typeof at === 'object' && at !== null ? at.port : 0, connectTimeoutMs: 2_000 })
  const running = runners
    .node(address)
    .run(
      { argv: ['true'], run: 'cancelled', timeoutMs: 30_000 },
      { signal: cancel.signal, onLine: () => undefined },
    )
  setTimeout(() => cancel.abort(), 100)
  const first = await Promise.race([running, sleep(1_000, 'late')])
  silent.close()
  expect(first).toEqual({ how: 'cancelled' })
})

test('reports a key that is not authorised', async () => {
  const stranger = generateEd25519()
  expect(await refusal({ keyFile: await file('stranger', stranger.private) })).toContain(
    'does not accept the SSH key',
  )
})

test('names an unusable key', async () => {
  expect(await refusal({ keyFile: join(folder, 'missing') })).toMatch(/the SSH key .*missing cannot be read/)
  expect(await refusal({ keyFile: await file('broken', 'no key') })).toMatch(
    /the SSH key .*broken cannot be used/,
  )
  expect(await refusal({ knownHostsFile: join(folder, 'missing') })).toMatch(
    /list of host keys .* cannot be read/,
  )
})

test('shares a connection between commands, closes it when idle and reopens it', async () => {
  const runners = open({ idleTimeoutMs: 200 })
  const client: string[] = []
  const show = () => run(runners, ['printenv', 'SSH_CLIENT'], (line) => client.push(line))
  await show()
  await show()
  await sleep(600)
  await show()
  // The address, the port on this side, the port on that side. A server of our own does not tell.
  expect(client[0]).toBe(client[1])
  if (client.length > 0) expect(client[2]).not.toBe(client[1])
})

test('names a node that is lost during a command', async () => {
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
  await expect(running).rejects.toThrow('The connection to bz-cloud-01 was lost while a command ran')
  // A connection that was accepted just before the kill is reset instead of refused.
  await vi.waitFor(() => expect(run(runners, ['true'])).rejects.toThrow('nothing listens there'))
  process.kill(pid, 'SIGKILL')
})

test('does not reveal the private key', async () => {
  const secret = await readFile(keyFile, 'utf8')
  const message = await refusal({ knownHostsFile: await file('none', '') })
  expect(message).not.toContain(secret.slice(40, 80))
})
