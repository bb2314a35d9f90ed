import { abortable } from '../connect/abortable.ts'
import { createRunner, type Machine, type Process } from './process-runner.ts'
import type { NodeAddress, Runners } from './runner.ts'
import { tokenVariable } from './scripts.ts'
import { connect, readHostKey, type SshAccess, type SshConnection } from './ssh-connection.ts'

export interface SshRunnersOptions extends SshAccess {
  /** Folder for the state of runs on a node, relative to the user's home; `.kustos/runs` by default. */
  readonly runsFolder?: string
}

/** Runs the commands of nodes over SSH. Connections are reused and closed when idle. */
export function openSshRunners(options: SshRunnersOptions): Runners {
  const machines = new Map<string, ReturnType<typeof openMachine>>()
  return {
    node(node) {
      const { name, plesk_fqdn, ssh_host, ssh_port, ssh_user, host_key } = node
      const key = JSON.stringify([name, plesk_fqdn, ssh_host, ssh_port, ssh_user, host_key])
      const machine = machines.get(key) ?? openMachine(node, options)
      machines.set(key, machine)
      return machine.runner
    },
    readHostKey: (node) => readHostKey(node, options),
    async close() {
      await Promise.all([...machines.values()].map((machine) => machine.close()))
      machines.clear()
    },
  }
}

function openMachine(node: NodeAddress, options: SshRunnersOptions) {
  const connections = new Set<SshConnection>()
  let connecting: Promise<void> | null = null

  const open = async () => {
    const connection = await connect(node, options)
    connections.add(connection)
    void connection.lost.then(() => connections.delete(connection))
  }
  const exec = async (command: string, signal?: AbortSignal): Promise<Process> => {
    signal?.throwIfAborted()
    const free = [...connections].find((connection) => connection.hasCapacity())
    if (free) return free.exec(command)
    // Concurrent commands share one attempt to connect.
    connecting ??= open().finally(() => {
      connecting = null
    })
    await (signal === undefined ? connecting : abortable(connecting, signal))
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

/**
 * Builds a command line for the user's login shell, which replaces itself with the script by `exec`, so the script
 * leads the process group that sshd created.
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
  return `exec ${argv.map(quote).join(' ')}`
}

/** Quotes for a shell of the Bourne family. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
