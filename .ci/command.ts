import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))

export interface Result {
  readonly ok: boolean
  /** stdout and stderr, in order. */
  readonly output: string
}

export interface CommandOptions {
  /** The working directory; the checkout by default. */
  readonly directory?: string
  readonly env?: Readonly<Record<string, string>>
  /** The time limit; 60 by default. */
  readonly seconds?: number
}

const { FORCE_COLOR: _, ...inherited } = process.env
const environment = {
  ...inherited,
  // The output is written to logs.
  NO_COLOR: '1',
  // Tests start the programs again and again, which takes a quarter less time when their code is compiled already.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
}

/** How long what a program has started may outlive it. */
const leftoverMs = 15_000

const running = new Set<number>()
let stopping = false

/** Runs a program and collects its output. It never throws: a missing program is not ok. */
export function command(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Result> {
  const { directory = root, env = {}, seconds = 60 } = options
  // Nothing new starts after SIGINT or SIGTERM.
  if (stopping) return new Promise(() => undefined)
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: directory,
      env: { ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In its own process group, so that everything it starts ends with it.
      detached: true,
    })
    const { pid } = child
    if (pid !== undefined) running.add(pid)
    let output = ''
    const collect = (text: string) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    const limit = setTimeout(() => {
      collect(`\n${file} did not end within ${seconds} s.\n`)
      endGroup(pid)
    }, seconds * 1000)
    const finish = (ok: boolean) => {
      clearTimeout(limit)
      if (pid !== undefined) running.delete(pid)
      resolve({ ok, output })
    }
    child.on('error', (error) => {
      collect(String(error))
      finish(false)
    })
    let left = false
    child.on('exit', () => {
      // What the program left running keeps its output open, and would keep this waiting.
      const leftover = setTimeout(() => {
        left = true
        collect(`\n${file} has ended, but something that it started runs on.\n`)
        endGroup(pid)
      }, leftoverMs)
      child.once('close', () => clearTimeout(leftover))
    })
    child.on('close', (code) => finish(code === 0 && !left))
  })
}

/** Sends SIGTERM to a process group, and SIGKILL after ten seconds. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  signalGroup(pid, 'SIGTERM')
  setTimeout(() => signalGroup(pid, 'SIGKILL'), 10_000).unref()
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended meanwhile.
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    stopping = true
    for (const pid of running) endGroup(pid)
    setInterval(() => running.size === 0 && process.exit(code), 50)
  })
}

/** The first line of an output that looks like an error message, else the last line. */
export function findErrorLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const errorLine = lines.find((line) => /error|fail|unable|denied|not found/i.test(line))
  return errorLine ?? lines.findLast((line) => line !== '') ?? 'no reason given'
}
