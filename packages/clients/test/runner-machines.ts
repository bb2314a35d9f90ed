import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Command } from '../src/runner/index.ts'
import { startSshServer } from './runner-ssh-server.ts'
import { openRunners, type RunnersOptions, testNode } from './runner-starter.ts'

/** A way to run commands on this machine. All have to behave alike. */
export interface TestMachine {
  readonly options: RunnersOptions
  readonly runsFolder: string
}

/** Opens each test machine once for a test file and removes it at the end. */
export async function openMachines() {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-runner-'))
  const server = await startSshServer(join(folder, 'ssh'))
  const { port, user, keyFile, knownHostsFile } = server
  const sshRunsFolder = join(folder, 'runs')
  const machines: [string, TestMachine][] = [
    [
      'on this machine',
      {
        options: { local: { folder: join(folder, 'nodes') } },
        runsFolder: join(folder, 'nodes/node-01/.runs'),
      },
    ],
    [
      'over SSH',
      {
        options: {
          ssh: { port, user, keyFile, knownHostsFile, runsFolder: sshRunsFolder },
        },
        runsFolder: sshRunsFolder,
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
    machines,
    open(options: RunnersOptions) {
      const runners = openRunners(options)
      opened.push(runners)
      return runners
    },
  }
}

export const never = () => new AbortController().signal
export const sh = (script: string, ...rest: string[]): Command['argv'] => ['sh', '-c', script, 'sh', ...rest]

let runs = 0
export const newRunId = () => `run-${++runs}`

/** Runs a command on the test node and collects its lines with their streams. */
export async function runCommand(
  runners: ReturnType<typeof openRunners>,
  argv: Command['argv'],
  runId = newRunId(),
  timeoutMs = 60_000,
) {
  const lines: string[] = []
  const outcome = await runners
    .node(testNode)
    .run(
      { argv, runId, timeoutMs },
      { signal: never(), onLine: (source, text) => lines.push(`${source}: ${text}`) },
    )
  return { outcome, lines }
}
