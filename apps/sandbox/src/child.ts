import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogFile } from './log-file.ts'
import { places } from './places.ts'
import type { Running } from './service.ts'
import type { Summary } from './summary.ts'

export interface ChildOptions {
  /** A script of ours, behind the flags that Node takes for it. */
  readonly argv: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly log: LogFile
  readonly summary: Summary
}

export interface Child extends Running {
  /** Resolves with the first message that it sends. */
  readonly said: Promise<unknown>
  /** The last line that it wrote as plain text on stderr: its reason, where it refuses to run. */
  lastWords(): string
}

/** Its share of the ten seconds that everything has to end in. */
const patience = 5_000

/** Starts one of our programs. It ends by itself when the channel to us breaks, so that it never outlives us. */
export function startChild(options: ChildOptions): Child {
  const { log, summary } = options
  const child = spawn(process.execPath, options.argv, {
    cwd: places.root,
    // As in the Dockerfile: glibc gives back to the system what is done with.
    env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '1048576', ...options.environment },
    // A group of its own: Ctrl-C in a terminal reaches us alone, and we keep the order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let lastWords = ''
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const said = new Promise<unknown>((resolve) => child.once('message', resolve))
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`)
      summary.read(line)
      if (stream === child.stderr && line.trim() !== '') lastWords = line.trim()
    })
  }
  return {
    pid: child.pid ?? 0,
    ended,
    said,
    lastWords: () => lastWords,
    async stop() {
      child.kill('SIGTERM')
      if ((await Promise.race([ended, sleep(patience, null, { ref: false })])) === null) child.kill('SIGKILL')
      await ended
    },
  }
}
