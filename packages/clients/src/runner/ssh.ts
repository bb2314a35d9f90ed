import { localRunner } from './local.ts'
import { createRunner, type Machine, type Process } from './process-runner.ts'
import type { NodeAddress, Runner, Runners } from './runner.ts'
import { tokenVariable } from './scripts.ts'
import { connect, type SshAccess, type SshConnection } from './ssh-connection.ts'

export interface SshRunnersOptions extends SshAccess {
  /** Where the controller's own commands run, on this machine. */
  readonly controllerFolder: string
  /** Where runs are kept on a node, relative to the user's home unless it is absolute; `.kustos/runs`. */
  readonly runsFolder?: string
}

/** Nodes that are reached over SSH. A connection is kept while it is used and for a while after. */
export function openSshRunners(options: SshRunnersOptions): Runners {
  const machines = new Map<string, SshMachine>()
  return {
    controller: localRunner('The controller', options.controllerFolder),
    node(node) {
      const key = `${node.name} ${node.plesk_fqdn}`
      const machine = machines.get(key) ?? openMachine(node, options)
      machines.set(key, machine)
      return machine.runner
    },
    async close() {
      await Promise.all([...machines.values()].map((machine) => machine.close()))
      machines.clear()
    },
  }
}

interface SshMachine {
  readonly runner: Runner
  close(): Promise<void>
}

function openMachine(node: NodeAddress, options: SshRunnersOptions): SshMachine {
  const connections = new Set<SshConnection>()
  let connecting: Promise<void> | null = null

  const open = async () => {
    const connection = await connect(node, options)
    connections.add(connection)
    void connection.lost.then(() => connections.delete(connection))
  }
  const exec = async (command: string, signal?: AbortSignal): Promise<Process> => {
    signal?.throwIfAborted()
    const free = [...connections].find((connection) => connection.free())
    if (free) return free.exec(command)
    // Whoever else needs one meanwhile waits for the same.
    connecting ??= open().finally(() => {
      connecting = null
    })
    await (signal === undefined ? connecting : orAborted(connecting, signal))
    return exec(command, signal)
  }

  const machine: Machine = {
    name: node.name,
    runsFolder: options.runsFolder ?? '.kustos/runs',
    start: (script, parameters, { token, signal }) => exec(commandLine(script, parameters, token), signal),
  }
  return {
    runner: createRunner(machine),
    async close() {
      await connecting?.catch(() => undefined)
      const open = [...connections]
      for (const connection of open) connection.close()
      await Promise.all(open.map(({ lost }) => lost))
    },
  }
}

/** @throws the signal's reason as soon as it is aborted */
async function orAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([waiting, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/**
 * sshd hands its command line to the user's login shell, which makes the argv of it again and puts our script in its
 * own place, so that the process that sshd made the leader of a group is the script's.
 */
function commandLine(script: string, parameters: readonly string[], token: string): string {
  const argv = [
    'env',
    'LANG=C.UTF-8',
    `${tokenVariable}=${token}`,
    '/bin/sh',
    '-c',
    script,
    'kustos',
    ...parameters,
  ]
  return `exec ${argv.map(quoted).join(' ')}`
}

/** For a shell of the Bourne family: nothing has a meaning between single quotes but the single quote. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
