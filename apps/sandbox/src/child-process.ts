import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogFile } from './log-file.ts'
import { paths } from './paths.ts'
import type { RunningProcess } from './supervisor.ts'

export interface ChildOptions {
  /** Node's options and the script. */
  readonly argv: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly log: LogFile
  readonly onLine: (line: string) => void
}

export interface Child extends RunningProcess {
  readonly firstMessage: Promise<unknown>
  /** The last line of stderr, which explains why it refuses to start. */
  lastErrorLine(): string
}

const killGraceMs = 5_000

/** Starts the API or the worker, which exits by itself when its IPC channel is closed. */
export function startChild({ argv, environment, log, onLine }: ChildOptions): Child {
  const child = spawn(process.execPath, argv, {
    cwd: paths.root,
    // As in the Dockerfile: makes glibc return freed memory to the system.
    env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '1048576', ...environment },
    // A process group of its own, so that Ctrl-C only reaches the sandbox, which stops its children in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let lastErrorLine = ''
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const firstMessage = new Promise<unknown>((resolve) => child.once('message', resolve))
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`)
      onLine(line)
      if (stream === child.stderr && line.trim() !== '') lastErrorLine = line.trim()
    })
  }
  return {
    pid: child.pid ?? 0,
    exited,
    firstMessage,
    lastErrorLine: () => lastErrorLine,
    async stop() {
      child.kill('SIGTERM')
      if ((await Promise.race([exited, sleep(killGraceMs, null, { ref: false })])) === null)
        child.kill('SIGKILL')
      await exited
    },
  }
}
