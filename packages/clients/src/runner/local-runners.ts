import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { createRunner, type Machine, type Process } from './process-runner.ts'
import { type Runner, RunnerError, type Runners } from './runner.ts'
import { tokenVariable } from './scripts.ts'

export interface LocalRunnersOptions {
  /** Contains a folder for each node, named like the node, in which its commands run. */
  readonly folder: string
}

/** Runs the commands of nodes in folders of this machine, for the sandbox. */
export function openLocalRunners(options: LocalRunnersOptions): Runners {
  const folder = resolve(options.folder)
  return {
    node({ name }) {
      if (/^\.|[/\0]/.test(name) || name === '')
        throw new RunnerError({ code: 'node_name_unusable', params: { node: name } })
      return localRunner(name, join(folder, name))
    },
    readHostKey: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  }
}

/** Runs commands on this machine in a folder, which is created if it is missing. */
function localRunner(name: Machine['name'], folder: string): Runner {
  const home = resolve(folder)
  const machine: Machine = {
    name,
    runsFolder: join(home, '.runs'),
    async start(script, parameters, { token }) {
      try {
        await mkdir(home, { recursive: true, mode: 0o700 })
      } catch (error) {
        const params = { node: name, reason: String(error) }
        throw new RunnerError({ code: 'node_folder_missing', params }, { cause: error })
      }
      return startProcess(name, home, ['-c', script, 'kustos', ...parameters], token)
    },
  }
  return createRunner(machine)
}

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Without relative entries, which would depend on the folder. */
const searchPath = () => (process.env.PATH ?? systemPath).split(':').filter(isAbsolute).join(':')

async function startProcess(
  node: Machine['name'],
  home: string,
  argv: readonly string[],
  token: string,
): Promise<Process> {
  const child = spawn('/bin/sh', argv, {
    cwd: home,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Kustos' own environment contains secrets, and its user's home other settings than the node's.
    env: { PATH: searchPath(), HOME: home, LANG: 'C.UTF-8', [tokenVariable]: token },
  })
  const ended: Process['ended'] = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? { code: code ?? 0 } : { signal }))
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', ({ message: reason }) =>
      reject(new RunnerError({ code: 'node_shell_missing', params: { node, reason } })),
    )
  })
  // A script that has ended takes no input; its end is reported by `ended`.
  child.stdin.on('error', () => undefined)
  return {
    input: child.stdin,
    out: child.stdout,
    err: child.stderr,
    ended,
    close() {
      child.stdin.destroy()
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}
