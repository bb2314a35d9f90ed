import { type ChildProcess, spawn } from 'node:child_process'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { freePort } from './free-port.ts'

export interface SshServer {
  readonly port: number
  readonly user: string
  readonly keyFile: string
  /** A known_hosts file that pins the server's key. */
  readonly knownHostsFile: string
  /** The server's public keys, as a known_hosts line has them after the host. */
  readonly hostKeys: readonly string[]
  /** Ends the server and its connections at once. */
  kill(): Promise<void>
}

const sshd = '/usr/sbin/sshd'

/**
 * An SSH server on loopback: OpenSSH's if it is installed and accepts this user (it does not if the account is locked),
 * otherwise one of the package ssh2.
 */
export async function startSshServer(folder: string): Promise<SshServer> {
  await mkdir(folder, { recursive: true })
  const present = await access(sshd).then(
    () => true,
    () => false,
  )
  if (!present) return startOwnServer(folder)
  const openSsh = await startOpenSsh(folder)
  if (await acceptsUser(openSsh)) return openSsh
  await openSsh.kill()
  return startOwnServer(folder)
}

async function acceptsUser({ port, user, keyFile }: SshServer): Promise<boolean> {
  const client = new ssh2.Client()
  const privateKey = await readFile(keyFile)
  const signedIn = await new Promise<boolean>((resolve) => {
    client.once('ready', () => resolve(true))
    client.on('error', () => resolve(false))
    client.connect({ host: '127.0.0.1', port, username: user, privateKey })
  })
  client.end()
  return signedIn
}

/** ssh2 cannot read some of the keys that it generates. */
export function generateEd25519() {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair
  }
}

async function makeKeys(folder: string, types: readonly ('ed25519' | 'ecdsa')[]) {
  const client = generateEd25519()
  const keyFile = join(folder, 'id')
  await writeFile(keyFile, client.private, { mode: 0o600 })
  const hosts = types.map((type) =>
    type === 'ed25519' ? generateEd25519() : ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }),
  )
  return { client, keyFile, hosts }
}

async function startOpenSsh(folder: string): Promise<SshServer> {
  const { client, keyFile, hosts } = await makeKeys(folder, ['ed25519', 'ecdsa'])
  const port = await freePort()
  await writeFile(join(folder, 'authorized_keys'), `${client.public}\n`, { mode: 0o600 })
  const hostKeyFiles = await Promise.all(
    hosts.map(async (pair, index) => {
      const file = join(folder, `host-${index}`)
      await writeFile(file, pair.private, { mode: 0o600 })
      return file
    }),
  )
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    ...hostKeyFiles.map((file) => `HostKey ${file}`),
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    'UseDNS no',
  ]
  await writeFile(join(folder, 'sshd_config'), `${settings.join('\n')}\n`)
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true })
  const child = spawn(sshd, ['-D', '-e', '-f', join(folder, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  for (const end = Date.now() + 10_000; !output.includes('listening'); await sleep(20)) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`sshd does not start: ${output}`)
  }
  return server(folder, port, keyFile, hosts, async () => {
    for (const pid of await sshdProcesses(child)) kill(pid)
  })
}

/** The listener and its processes per connection, but not the commands that these started. */
async function sshdProcesses(listener: ChildProcess): Promise<number[]> {
  const collect = async (pid: number): Promise<number[]> => {
    const [name, children] = await Promise.all([
      readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''),
    ])
    if (!name.startsWith('sshd')) return []
    const below = await Promise.all(children.trim().split(' ').filter(Boolean).map(Number).map(collect))
    return [pid, ...below.flat()]
  }
  return collect(listener.pid ?? 0)
}

async function startOwnServer(folder: string): Promise<SshServer> {
  const { client, keyFile, hosts } = await makeKeys(folder, ['ed25519'])
  const allowed = ssh2.utils.parseKey(client.public)
  if (allowed instanceof Error) throw allowed
  const sockets = new Set<Socket>()
  const own = new ssh2.Server({ hostKeys: hosts.map((pair) => pair.private) }, (connection) => {
    connection.on('error', () => undefined)
    connection.on('authentication', (attempt) => {
      const isAuthorised =
        attempt.method === 'publickey' &&
        attempt.key.data.equals(allowed.getPublicSSH()) &&
        (!attempt.signature ||
          allowed.verify(attempt.blob ?? Buffer.alloc(0), attempt.signature, attempt.hashAlgo) === true)
      if (isAuthorised) attempt.accept()
      else attempt.reject()
    })
    connection.on('session', (acceptSession) => {
      acceptSession().on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec()
        const child = spawn('/bin/sh', ['-c', command], {
          detached: true,
          stdio: ['pipe', 'pipe', 'pipe'],
          env: { PATH: process.env.PATH, HOME: folder },
        })
        child.stdin.on('error', () => undefined)
        channel.pipe(child.stdin)
        child.stdout.pipe(channel, { end: false })
        child.stderr.pipe(channel.stderr, { end: false })
        child.once('exit', (code, signal) => {
          if (signal === null) channel.exit(code ?? 0)
          else channel.exit(signal.replace('SIG', ''))
        })
        child.once('close', () => channel.end())
        channel.once('close', () => {
          child.stdout.destroy()
          child.stderr.destroy()
        })
      })
    })
  })
  // The package does not expose its sockets, so that a server in front of it has to collect them.
  const front = createServer((socket) => {
    sockets.add(socket)
    own.injectSocket(socket)
  })
  const port = await new Promise<number>((resolve) => {
    front.listen(0, '127.0.0.1', () => resolve(portOf(front.address())))
  })
  return server(folder, port, keyFile, hosts, async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => front.close(resolve))
  })
}

async function server(
  folder: string,
  port: number,
  keyFile: string,
  hosts: readonly { public: string }[],
  kill: () => Promise<void>,
): Promise<SshServer> {
  const hostKeys = hosts.map((pair) => pair.public.trim())
  const knownHostsFile = join(folder, 'known_hosts')
  // Only the last key, so that the client has to request the pinned one of several.
  await writeFile(knownHostsFile, `[127.0.0.1]:${port} ${hostKeys.at(-1)}\n`)
  return { port, user: userInfo().username, keyFile, knownHostsFile, hostKeys, kill }
}

const portOf = (address: ReturnType<ReturnType<typeof createServer>['address']>) =>
  typeof address === 'object' && address !== null ? address.port : 0

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
