import { readFile } from 'node:fs/promises'
import ssh2, { type ClientChannel, type ServerHostKeyAlgorithm } from 'ssh2'
import { fingerprintOf, knownHostsLine, type PinnedKeys, pinnedKeys } from './known-hosts.ts'
import type { Process } from './process-runner.ts'
import { type NodeAddress, RunnerError } from './runner.ts'

export interface SshAccess {
  /** An OpenSSH private key without a passphrase. */
  readonly keyFile: string
  /** In the format of ssh's known_hosts, for nodes without a host key of their own; hosts without a pinned key are refused. */
  readonly knownHostsFile?: string | undefined
  /** With a login shell of the Bourne family (sh, dash, bash, zsh). */
  readonly user: string
  readonly port?: number
  /** For connecting and signing in. */
  readonly connectTimeoutMs?: number
  /** Three unanswered keep-alive messages mean that the connection is lost. */
  readonly keepAliveMs?: number
  /** After which an unused connection is closed. */
  readonly idleTimeoutMs?: number
}

export type SshConnection = Awaited<ReturnType<typeof connect>>

/** sshd allows ten sessions per connection (MaxSessions); two are reserved for ending commands. */
const maxChannels = 8

/**
 * Opens a connection. Both files are read each time, so a newly pinned key counts.
 * @throws {RunnerError} with the fingerprint of a key that is not pinned
 */
export async function connect(node: NodeAddress, access: SshAccess) {
  const { connectTimeoutMs = 15_000, keepAliveMs = 10_000, idleTimeoutMs = 60_000 } = access
  const { host, port, user } = destinationOf(node, access)
  const privateKey = await readAccessFile(node, access.keyFile, 'ssh_key_unreadable')
  const unreadable = ssh2.utils.parseKey(privateKey)
  if (unreadable instanceof Error)
    throw new RunnerError({
      code: 'ssh_key_unusable',
      params: { node: node.name, file: access.keyFile, reason: unreadable.message },
    })
  const own = node.host_key ?? null
  const { knownHostsFile } = access
  const knownHosts =
    own !== null
      ? knownHostsLine(host, port, own)
      : knownHostsFile !== undefined
        ? await readAccessFile(node, knownHostsFile, 'ssh_host_keys_unreadable')
        : ''
  const pinned = pinnedKeys(knownHosts, host, port)

  const client = new ssh2.Client()
  let refusal: Reason | null = null
  await new Promise<void>((resolve, reject) => {
    const refuse = (reason: Reason) => {
      const params = { node: node.name, user, host, port, reason }
      reject(new RunnerError({ code: 'ssh_unreachable', params }))
    }
    client.once('ready', resolve)
    // An unhandled further error would end the process.
    client.on('error', (error) => {
      client.destroy()
      refuse(refusal ?? reasonOf(error, pinned))
    })
    client.once('close', () => refuse(refusal ?? { code: 'ssh_closed' }))
    client.connect({
      host,
      port,
      username: user,
      privateKey,
      readyTimeout: connectTimeoutMs,
      keepaliveInterval: keepAliveMs,
      keepaliveCountMax: 3,
      // Otherwise a host with several keys may show one that is not pinned.
      ...(pinned.types.length > 0 && {
        algorithms: { serverHostKey: pinned.types.flatMap((type) => algorithms[type] ?? []) },
      }),
      hostVerifier(key: Buffer) {
        const status = pinned.check(key)
        if (status === 'pinned') return true
        const fingerprint = fingerprintOf(key)
        if (own !== null) refusal = { code: 'ssh_host_key_differs', params: { fingerprint } }
        else if (knownHostsFile === undefined)
          refusal = { code: 'ssh_host_key_unconfirmed', params: { fingerprint } }
        else refusal = { code: `ssh_host_key_${status}`, params: { fingerprint, file: knownHostsFile } }
        return false
      },
    })
  })
  client.setNoDelay(true)

  let usable = true
  let channels = 0
  let failure: Reason = { code: 'ssh_closed_here' }
  client.on('error', (error) => {
    failure = reasonOf(error, pinned)
  })
  let loss: Reason | null = null
  // Handlers of the promise could not be removed: until the connection ends, they would keep all commands in memory.
  const lossListeners = new Set<LossListener>()
  const onLoss: OnLoss = (listener) => {
    if (loss === null) lossListeners.add(listener)
    else listener(loss)
    return () => lossListeners.delete(listener)
  }
  const lost = new Promise<Reason>((resolve) => {
    client.once('close', () => {
      usable = false
      clearTimeout(idleTimer)
      loss = failure
      for (const listener of lossListeners) listener(failure)
      lossListeners.clear()
      resolve(failure)
    })
  })
  const close = () => {
    usable = false
    client.end()
    // An unreachable machine does not end the connection.
    setTimeout(() => client.destroy(), 2_000).unref()
  }
  let idleTimer = setTimeout(close, idleTimeoutMs)
  const release = () => {
    channels -= 1
    if (channels === 0 && usable) idleTimer = setTimeout(close, idleTimeoutMs)
  }
  return {
    /** Whether it can run another command. */
    hasCapacity: () => usable && channels < maxChannels,
    /** Resolves with why the connection ended. */
    lost,
    close,
    /** @throws {RunnerError} */
    exec(command: string): Promise<Process> {
      channels += 1
      clearTimeout(idleTimer)
      return new Promise((resolve, reject) => {
        // A lost connection never calls back.
        const ignoreLoss = onLoss((reason) =>
          reject(new RunnerError({ code: 'ssh_lost', params: { node: node.name, reason } })),
        )
        const fail = (reason: string) => {
          ignoreLoss()
          release()
          reject(new RunnerError({ code: 'ssh_not_started', params: { node: node.name, reason } }))
        }
        try {
          client.exec(command, (error, channel) => {
            if (error) return fail(error.message)
            ignoreLoss()
            channel.once('close', release)
            resolve(processOf(node, channel, onLoss))
          })
        } catch (error) {
          // It throws if the connection has ended.
          usable = false
          fail(String(error))
        }
      })
    },
  }
}

/** Must be called synchronously, since an exit event may follow at once. */
function processOf(node: NodeAddress, channel: ClientChannel, onLoss: OnLoss): Process {
  let loss: RunnerError | null = null
  const ended: Process['ended'] = new Promise((resolve, reject) => {
    const errorOf = (reason: Reason) =>
      new RunnerError({ code: 'ssh_lost_while_running', params: { node: node.name, reason } })
    channel.once('exit', (code: number | null, signal?: string) => {
      resolve(code === null ? { signal: signal ?? 'SIGKILL' } : { code })
    })
    const ignoreLoss = onLoss((reason) => {
      loss = errorOf(reason)
      reject(loss)
    })
    // Comes after the exit event and all of the output.
    channel.once('close', () => {
      ignoreLoss()
      reject(errorOf({ code: 'ssh_exit_code_missing' }))
    })
  })
  // Nobody waits for the end of an abandoned command.
  ended.catch(() => undefined)
  return {
    input: channel,
    out: channel,
    err: channel.stderr,
    ended,
    lost: () => loss,
    close: () => channel.close(),
  }
}

/**
 * Returns the host key that a node presents, in the format of OpenSSH. Nobody signs in.
 * @throws {RunnerError} if the node cannot be reached
 */
export async function readHostKey(node: NodeAddress, access: SshAccess): Promise<string> {
  const { connectTimeoutMs = 15_000 } = access
  const { host, port, user } = destinationOf(node, access)
  const client = new ssh2.Client()
  try {
    return await new Promise<string>((resolve, reject) => {
      const refuse = (reason: Reason) =>
        reject(
          new RunnerError({ code: 'ssh_unreachable', params: { node: node.name, user, host, port, reason } }),
        )
      client.on('error', (error) => refuse(reasonOf(error, noKeys)))
      client.once('close', () => refuse({ code: 'ssh_closed' }))
      client.connect({
        host,
        port,
        username: user,
        readyTimeout: connectTimeoutMs,
        // A key of the same type as the pinned one, or the type that OpenSSH prefers.
        algorithms: {
          serverHostKey: [...new Set([typeOf(node.host_key), ...preferredTypes])].flatMap(
            (type) => algorithms[type] ?? [],
          ),
        },
        hostVerifier(key: Buffer) {
          // The key begins with the length and the name of its type (RFC 4253).
          const type = key.toString('latin1', 4, 4 + key.readUInt32BE(0))
          resolve(`${type} ${key.toString('base64')}`)
          return false
        },
      })
    })
  } finally {
    client.destroy()
  }
}

const preferredTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
]

const typeOf = (hostKey: string | null | undefined) => hostKey?.split(' ')[0] ?? ''

const noKeys = pinnedKeys('', '', 22)

const destinationOf = (node: NodeAddress, access: SshAccess) => ({
  host: node.ssh_host ?? node.plesk_fqdn,
  port: node.ssh_port ?? access.port ?? 22,
  user: node.ssh_user ?? access.user,
})

async function readAccessFile(
  node: NodeAddress,
  file: string,
  code: 'ssh_key_unreadable' | 'ssh_host_keys_unreadable',
): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const params = { node: node.name, file, reason: String(error) }
    throw new RunnerError({ code, params }, { cause: error })
  }
}

/** Servers no longer sign with SHA-1, so keys of type ssh-rsa use the algorithms of RFC 8332. */
const algorithms: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
}

type LossListener = (reason: Reason) => void
/** Calls the listener once the connection has ended. @returns a function that removes it */
type OnLoss = (listener: LossListener) => () => void

/** A message, or the library's words. */
type Reason = string | { readonly code: string; readonly params?: Readonly<Record<string, string>> }

function reasonOf(error: Error & { level?: string; code?: string }, pinned: PinnedKeys): Reason {
  if (error.message.includes('no matching host key'))
    return { code: 'ssh_host_key_type', params: { types: pinned.types.join(', ') } }
  if (error.level === 'client-authentication') return { code: 'ssh_key_refused' }
  if (error.level === 'client-timeout') return { code: 'ssh_timed_out' }
  if (error.code === 'ECONNREFUSED') return { code: 'ssh_refused' }
  if (error.code === 'ENOTFOUND') return { code: 'ssh_host_unknown' }
  return error.message
}
