import { readFile } from 'node:fs/promises'
import ssh2, { type ClientChannel, type ServerHostKeyAlgorithm } from 'ssh2'
import { fingerprintOf, type PinnedKeys, pinnedKeys } from './known-hosts.ts'
import type { Process } from './process-runner.ts'
import { type NodeAddress, RunnerError } from './runner.ts'

export interface SshAccess {
  /** An OpenSSH private key without a passphrase. */
  readonly keyFile: string
  /** Host keys in the format of ssh's known_hosts; a host that is not in there is refused. */
  readonly knownHostsFile: string
  /** Its login shell must be of the Bourne family (sh, dash, bash, zsh). */
  readonly user: string
  /** 22 unless told otherwise. */
  readonly port?: number
  /** In milliseconds, for connecting and signing in. */
  readonly connectTimeout?: number
  /** In milliseconds; three of them that stay unanswered mean that the connection is lost. 10 s. */
  readonly keepAlive?: number
  /** In milliseconds, after which a connection that nobody uses is closed; a minute. */
  readonly idle?: number
}

export interface SshConnection {
  /** Whether it can carry another command. */
  free(): boolean
  /** @throws {RunnerError} */
  exec(command: string): Promise<Process>
  /** Resolves with why it is no more. */
  readonly lost: Promise<string>
  close(): void
}

/** sshd allows ten sessions on a connection (MaxSessions); two are left for ending commands. */
const mostChannels = 8

/**
 * Both files are read anew for each connection, so that a key that was pinned just now counts.
 * @throws {RunnerError} with a sentence that names the node and, of a key that is not pinned, its fingerprint
 */
export async function connect(node: NodeAddress, access: SshAccess): Promise<SshConnection> {
  const { user, port = 22, connectTimeout = 15_000, keepAlive = 10_000, idle = 60_000 } = access
  const host = node.plesk_fqdn
  const privateKey = await readAccessFile(node, access.keyFile, 'SSH key')
  const unreadable = ssh2.utils.parseKey(privateKey)
  if (unreadable instanceof Error)
    throw new RunnerError(
      `${node.name} cannot be reached: the SSH key ${access.keyFile} cannot be used (${unreadable.message}).`,
    )
  const knownHosts = await readAccessFile(node, access.knownHostsFile, 'list of host keys')
  const pinned = pinnedKeys(knownHosts, host, port)

  const client = new ssh2.Client()
  let refusal: string | null = null
  await new Promise<void>((resolve, reject) => {
    const refuse = (reason: string) =>
      reject(
        new RunnerError(
          `${node.name} cannot be reached over SSH (${user}@${host}, port ${port}): ${reason}.`,
        ),
      )
    client.once('ready', resolve)
    // There may be more than one, and none may stay unheard.
    client.on('error', (error) => {
      client.destroy()
      refuse(refusal ?? reasonOf(error, pinned))
    })
    client.once('close', () => refuse(refusal ?? 'it closed the connection'))
    client.connect({
      host,
      port,
      username: user,
      privateKey,
      readyTimeout: connectTimeout,
      keepaliveInterval: keepAlive,
      keepaliveCountMax: 3,
      // Else a host with several keys might show one of those that are not pinned.
      ...(pinned.types.length > 0 && { algorithms: { serverHostKey: algorithmsOf(pinned.types) } }),
      hostVerifier(key: Buffer) {
        const judgement = pinned.judge(key)
        if (judgement === 'pinned') return true
        refusal = refusalOf(judgement, key, access.knownHostsFile)
        return false
      },
    })
  })
  client.setNoDelay(true)

  let usable = true
  let channels = 0
  let failure = 'it was closed'
  client.on('error', (error) => {
    failure = reasonOf(error, pinned)
  })
  const lost = new Promise<string>((resolve) => {
    client.once('close', () => {
      usable = false
      clearTimeout(idleTimer)
      resolve(failure)
    })
  })
  const close = () => {
    usable = false
    client.end()
    // A machine that is gone does not say goodbye.
    setTimeout(() => client.destroy(), 2_000).unref()
  }
  let idleTimer = setTimeout(close, idle)
  const give = () => {
    channels -= 1
    if (channels === 0 && usable) idleTimer = setTimeout(close, idle)
  }
  const take = () => {
    channels += 1
    clearTimeout(idleTimer)
  }
  return {
    free: () => usable && channels < mostChannels,
    lost,
    close,
    exec(command) {
      take()
      return new Promise((resolve, reject) => {
        const fail = (reason: string) => {
          give()
          reject(new RunnerError(`${node.name} does not start a command over SSH: ${reason}.`))
        }
        try {
          client.exec(command, (error, channel) => {
            if (error) return fail(error.message)
            channel.once('close', give)
            resolve(processOf(node, channel, lost))
          })
        } catch (error) {
          // It throws where the connection has ended, whether that was told or not.
          usable = false
          fail(String(error))
        }
        // Whatever is asked of a connection that was lost is never answered.
        void lost.then((reason) => reject(new RunnerError(`${node.name} was lost over SSH: ${reason}.`)))
      })
    },
  }
}

/** To be called before anything else can come in: an exit that came with the answer is told at once, and only once. */
function processOf(node: NodeAddress, channel: ClientChannel, lost: Promise<string>): Process {
  channel.end()
  const ended = new Promise<{ code: number } | { signal: string }>((resolve, reject) => {
    const lose = (reason: string) =>
      reject(new RunnerError(`The connection to ${node.name} was lost while a command ran: ${reason}.`))
    channel.once('exit', (code: number | null, signal?: string) => {
      resolve(code === null ? { signal: signal ?? 'SIGKILL' } : { code })
    })
    // Comes after the exit where there was one.
    channel.once('close', () => lose('it ended without an exit code'))
    void lost.then(lose)
  })
  // Who waits for the end hears of it; a command that was given up has nobody waiting.
  ended.catch(() => undefined)
  return { out: channel, err: channel.stderr, ended, close: () => channel.close() }
}

async function readAccessFile(node: NodeAddress, path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new RunnerError(
      `${node.name} cannot be reached: the ${what} ${path} cannot be read (${String(error)}).`,
      { cause: error },
    )
  }
}

/** With SHA-1 nobody signs any more: a key of type ssh-rsa is asked for the signatures of RFC 8332. */
const algorithmsOf = (types: readonly string[]): ServerHostKeyAlgorithm[] =>
  types.flatMap((type): ServerHostKeyAlgorithm[] => {
    switch (type) {
      case 'ssh-rsa':
        return ['rsa-sha2-512', 'rsa-sha2-256']
      case 'ssh-ed25519':
      case 'ecdsa-sha2-nistp256':
      case 'ecdsa-sha2-nistp384':
      case 'ecdsa-sha2-nistp521':
        return [type]
      default:
        return []
    }
  })

function refusalOf(judgement: 'changed' | 'unknown' | 'revoked', key: Buffer, file: string): string {
  const shown = `it shows the key ${fingerprintOf(key)}`
  switch (judgement) {
    case 'changed':
      return `${shown}, but another one is pinned in ${file}: either it was set up anew or somebody else answers in its place`
    case 'unknown':
      return `${shown}, and none is pinned for it in ${file}`
    case 'revoked':
      return `${shown}, which ${file} marks as revoked`
  }
}

function reasonOf(error: Error & { level?: string; code?: string }, pinned: PinnedKeys): string {
  if (error.message.includes('no matching host key'))
    return `it has no key of the type that is pinned (${pinned.types.join(', ')})`
  if (error.level === 'client-authentication') return 'it does not accept the SSH key'
  if (error.level === 'client-timeout') return 'it does not answer in time'
  if (error.code === 'ECONNREFUSED') return 'nothing listens there'
  if (error.code === 'ENOTFOUND') return 'there is no host of this name'
  return error.message
}
