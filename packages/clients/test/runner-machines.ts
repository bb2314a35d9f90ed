import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Command } from '../src/runner/index.ts'
import { startSshServer } from './runner-ssh-server.ts'
import { type Opening, openRunners, testNode } from './runner-starter.ts'

/** A way to run commands on this machine, which has to behave as every other one. */
export interface TestMachine {
  readonly opening: Opening
  /** Where it keeps runs. */
  readonly runsFolder: string
}

/** Opens each way once for a test file; all is gone with its end. */
export async function openMachines() {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-runner-'))
  const server = await startSshServer(join(folder, 'ssh'))
  const { port, user, keyFile, knownHostsFile } = server
  const controllerFolder = join(folder, 'controller')
  const overSsh = join(folder, 'runs')
  const machines: [string, TestMachine][] = [
    [
      'on this machine',
      {
        opening: { local: { folder: join(folder, 'nodes') } },
        runsFolder: join(folder, 'nodes/node-01/.runs'),
      },
    ],
    [
      'over SSH',
      {
        opening: { ssh: { port, user, keyFile, knownHostsFile, controllerFolder, runsFolder: overSsh } },
        runsFolder: overSsh,
      },
    ],
  ]
  const opened: ReturnType<typeof openRunners>[] = []
  afterAll(async () => {
    for (const runners of opened) await runners.close()
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    folder,
    controllerFolder,
    machines,
    open(opening: Opening) {
      const runners = openRunners(opening)
      opened.push(runners)
      return runners
    },
  }
}

export const never = () => new AbortController().signal
export const sh = (script: string, ...rest: string[]): Command['argv'] => ['sh', '-c', script, 'sh', ...rest]

let runs = 0
/** One that no run had. */
export const runName = () => `run-${++runs}`

/** Carries a command out on the node and keeps its lines, with their sources. */
export async function carryOut(
  runners: ReturnType<typeof openRunners>,
  argv: Command['argv'],
  run = runName(),
  timeout = 60_000,
) {
  const lines: string[] = []
  const outcome = await runners
    .node(testNode)
    .run(
      { argv, run, timeoutMs: timeout },
      { signal: never(), onLine: (source, text) => lines.push(`${source}: ${text}`) },
    )
  return { outcome, lines }
}
