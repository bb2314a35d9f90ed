import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { createRunner, type Machine, type Process } from './process-runner.ts'
import { type Runner, RunnerError, type Runners } from './runner.ts'
import { tokenVariable } from './scripts.ts'

export interface LocalRunnersOptions {
  /** Holds a folder for each node, named as the node is; its commands run in there. */
  readonly folder: string
  /** Where the controller's commands run; `controller` beside the nodes' folder unless told otherwise. */
  readonly controllerFolder?: string
}

/** Nodes that are folders on this machine, for the sandbox. Nothing is kept open. */
export function openLocalRunners(options: LocalRunnersOptions): Runners {
  const folder = resolve(options.folder)
  const controllerFolder = options.controllerFolder ?? join(folder, '..', 'controller')
  return {
    controller: localRunner('The controller', controllerFolder),
    node({ name }) {
      if (/^\.|[/\0]/.test(name) || name === '') throw new RunnerError(`${name} cannot name a folder.`)
      return localRunner(name, join(folder, name))
    },
    close: () => Promise.resolve(),
  }
}

/** Runs commands on this machine in a folder, which is made where it does not exist. */
export function localRunner(name: string, folder: string): Runner {
  const home = resolve(folder)
  const machine: Machine = {
    name,
    runsFolder: join(home, '.runs'),
    async start(script, parameters, { token }) {
      try {
        await mkdir(home, { recursive: true })
      } catch (error) {
        throw new RunnerError(`${name} has no folder to run in: ${String(error)}`, { cause: error })
      }
      return startProcess(name, home, ['-c', script, 'kustos', ...parameters], token)
    },
  }
  return createRunner(machine)
}

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Relative entries would mean another program in each folder. */
const searchPath = () => (process.env.PATH ?? systemPath).split(':').filter(isAbsolute).join(':')

async function startProcess(
  name: string,
  home: string,
  argv: readonly string[],
  token: string,
): Promise<Process> {
  const child = spawn('/bin/sh', argv, {
    cwd: home,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Kustos' own variables hold secrets; its user's home holds settings that are not the node's.
    env: { PATH: searchPath(), HOME: home, LANG: 'C.UTF-8', [tokenVariable]: token },
  })
  const ended = new Promise<{ code: number } | { signal: string }>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? { code: code ?? 0 } : { signal }))
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(new RunnerError(`${name} cannot start a shell: ${error.message}`)))
  })
  return {
    out: child.stdout,
    err: child.stderr,
    ended,
    close() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}
