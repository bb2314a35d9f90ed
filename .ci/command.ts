import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))

export interface Result {
  readonly ok: boolean
  /** What it wrote to stdout and stderr, in order. */
  readonly output: string
}

export interface CommandOptions {
  /** Where it runs; in the checkout unless told otherwise. */
  readonly directory?: string
  readonly env?: Readonly<Record<string, string>>
  /** How long it may take, in seconds; 60 unless told otherwise. */
  readonly seconds?: number
}

/** Without colours: what is gathered is read in logs. */
const { FORCE_COLOR: _, ...inherited } = process.env
const plain = { ...inherited, NO_COLOR: '1' }

const running = new Set<number>()
let stopping = false

/** Runs a program and gathers its output. It never throws: a program that is not there is not ok. */
export function command(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Result> {
  const { directory = root, env = {}, seconds = 60 } = options
  // Nothing new is started once the end was asked for.
  if (stopping) return new Promise(() => undefined)
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: directory,
      env: { ...plain, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that whatever it started ends with it.
      detached: true,
    })
    const { pid } = child
    if (pid !== undefined) running.add(pid)
    let output = ''
    const gather = (text: string) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', gather)
    child.stderr.setEncoding('utf8').on('data', gather)
    const limit = setTimeout(() => {
      gather(`\n${file} did not end within ${seconds} s.\n`)
      endGroup(pid)
    }, seconds * 1000)
    const settle = (ok: boolean) => {
      clearTimeout(limit)
      if (pid !== undefined) running.delete(pid)
      resolve({ ok, output })
    }
    child.on('error', (error) => {
      gather(String(error))
      settle(false)
    })
    child.on('close', (code) => settle(code === 0))
  })
}

/** Asks a group to end, and after ten seconds no longer asks. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  signalGroup(pid, 'SIGTERM')
  setTimeout(() => signalGroup(pid, 'SIGKILL'), 10_000).unref()
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended meanwhile.
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

/** The line that says what went wrong; a program's last words are often a stack. */
export function complaintOf(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const complaint = lines.find((line) => /error|fail|unable|denied|not found/i.test(line))
  return complaint ?? lines.findLast((line) => line !== '') ?? 'no reason given'
}
