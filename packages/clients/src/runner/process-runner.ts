import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { splitLines } from './line-splitter.ts'
import { type Command, type Outcome, type Runner, RunnerError, type RunOptions } from './runner.ts'
import { cleanUpScript, endScript, runScript, startedLine } from './scripts.ts'

/** A script that runs on a machine. */
export interface Process {
  readonly out: Readable
  readonly err: Readable
  /**
   * Settles when the script has ended, even if its output is still open.
   * @throws {RunnerError} if the machine is lost while it runs
   */
  readonly ended: Promise<{ readonly code: number } | { readonly signal: string }>
  /** Stops reading its output. */
  close(): void
}

export interface Machine {
  /** For sentences. */
  readonly name: string
  /** Folder that holds the state of runs. */
  readonly runsFolder: string
  /**
   * Starts `sh -c script` as the leader of its own process group.
   * @throws {RunnerError} if the machine cannot be reached; the signal's reason if it is aborted before the start
   */
  start(
    script: string,
    parameters: readonly string[],
    options: { readonly token: string; readonly signal?: AbortSignal },
  ): Promise<Process>
}

/** Time between SIGTERM and SIGKILL. */
const killGraceMs = 5_000
/** A grandchild may hold the output open after the command's end, so reading ends when it is quiet or takes too long. */
const drainQuietMs = 500
const drainTimeoutMs = 10_000
const scriptTimeoutMs = 60_000
/** For a machine to react to the end of a command. */
const endTimeoutMs = 20_000

export function createRunner(machine: Machine): Runner {
  return {
    run: (command, options) => runCommand(machine, command, options),
    recover: (run) => endRun(machine, run),
    async forget(prefix) {
      await runToEnd(machine, cleanUpScript, [machine.runsFolder, checkedRun(prefix)])
    },
  }
}

async function runCommand(machine: Machine, command: Command, options: RunOptions): Promise<Outcome> {
  const { argv, run, timeoutMs } = command
  checkArgv(argv)
  const parameters = [machine.runsFolder, checkedRun(run), ...argv]
  const { signal } = options
  if (signal.aborted) return { how: 'cancelled' }
  let process: Process
  try {
    process = await machine.start(runScript, parameters, { token: randomUUID(), signal })
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { how: 'cancelled' }
    throw error
  }

  const started = Promise.withResolvers<void>()
  const startErrors: string[] = []
  let isRunning = false
  const output = readOutput(process, (source, text) => {
    if (isRunning) options.onLine(source, text)
    else if (source === 'out' && text === startedLine) {
      isRunning = true
      started.resolve()
    } else startErrors.push(text)
  })

  const silent = `${machine.name} does not say whether the command has ended.`
  const stop = createStop(signal, timeoutMs)
  try {
    const early = await Promise.race([process.ended, stop.requested])
    if (early === 'cancelled' || early === 'timed-out') {
      // Before its start the machine does not know which processes to end.
      await withTimeout(Promise.race([started.promise, process.ended]), endTimeoutMs, silent)
      const end = await endRun(machine, run)
      await withTimeout(process.ended, endTimeoutMs, silent)
      await output.drain()
      // A command that has succeeded by now must not run again.
      return end === 'succeeded' ? { how: 'exited', code: 0 } : { how: early }
    }
    await output.drain()
    if (!isRunning) {
      const reason = startErrors.join(' ') || ('code' in early ? `exit code ${early.code}` : early.signal)
      throw new RunnerError(`${machine.name} cannot start commands in ${machine.runsFolder}: ${reason}`)
    }
    return 'code' in early ? outcomeOf(early.code) : { how: 'killed', signal: early.signal }
  } finally {
    stop.clear()
    process.close()
  }
}

/** @throws {RunnerError} with the sentence if it takes too long */
async function withTimeout<T>(awaited: Promise<T>, limitMs: number, sentence: string): Promise<T> {
  const settled = new AbortController()
  const late = sleep(limitMs, 'late' as const, { signal: settled.signal }).catch(() => 'late' as const)
  try {
    const first = await Promise.race([awaited.then((value) => ({ value })), late])
    if (first === 'late') throw new RunnerError(sentence)
    return first.value
  } finally {
    settled.abort()
  }
}

/** Settles with the reason for which a command has to end. */
function createStop(signal: AbortSignal, timeoutMs: number) {
  const { promise: requested, resolve } = Promise.withResolvers<'cancelled' | 'timed-out'>()
  const onAbort = () => resolve('cancelled')
  const timer = setTimeout(() => resolve('timed-out'), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  // It may have been aborted before the listener was added.
  if (signal.aborted) onAbort()
  return {
    requested,
    clear() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

function readOutput(process: Process, onLine: (source: 'out' | 'err', text: string) => void) {
  const streams = [
    { stream: process.out, lines: splitLines((text) => onLine('out', text)) },
    { stream: process.err, lines: splitLines((text) => onLine('err', text)) },
  ]
  let isReading = true
  let lastOutputAt = 0
  const ends = streams.map(({ stream, lines }) => {
    stream.on('data', (chunk: Buffer) => {
      lastOutputAt = Date.now()
      if (isReading) lines.write(chunk)
    })
    return new Promise<void>((resolve) => {
      stream.once('close', resolve).once('end', resolve)
      // A broken pipe has ended; the process's end is reported by `ended`.
      stream.once('error', () => resolve())
    })
  })
  return {
    /** Reads the rest after the process's end. */
    async drain() {
      const since = Date.now()
      const closed = Promise.all(ends).then(() => 'closed' as const)
      let end: 'closed' | 'open' = 'open'
      while (end === 'open') {
        const now = Date.now()
        if (now - Math.max(lastOutputAt, since) >= drainQuietMs || now - since >= drainTimeoutMs) break
        end = await Promise.race([closed, sleep(50, 'open' as const)])
      }
      isReading = false
      for (const { lines } of streams) lines.end()
    },
  }
}

/** Shells report the end by a signal as 128 plus its number. */
const signalOfCode = new Map(
  (['SIGINT', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL', 'SIGSEGV', 'SIGTERM'] as const).map((name) => [
    128 + constants.signals[name],
    name,
  ]),
)

function outcomeOf(code: number): Outcome {
  const signal = signalOfCode.get(code)
  return signal === undefined ? { how: 'exited', code } : { how: 'killed', signal }
}

/** Ends the processes of a run and returns whether it had succeeded. */
async function endRun(machine: Machine, run: string): Promise<'succeeded' | 'none'> {
  const parameters = [machine.runsFolder, checkedRun(run), String(killGraceMs / 1000)]
  const lines = await runToEnd(machine, endScript, parameters)
  // A login shell may have printed a greeting before.
  const answer = lines.at(-1)
  if (answer === 'succeeded' || answer === 'none') return answer
  throw new RunnerError(`${machine.name} does not say what became of a command: ${answer ?? 'no answer'}`)
}

/** Returns the lines that a script printed. */
async function runToEnd(machine: Machine, script: string, parameters: readonly string[]): Promise<string[]> {
  const process = await machine.start(script, parameters, { token: randomUUID() })
  const lines = { out: [] as string[], err: [] as string[] }
  const output = readOutput(process, (source, text) => lines[source].push(text))
  try {
    const end = await withTimeout(process.ended, scriptTimeoutMs, `${machine.name} does not answer.`)
    await output.drain()
    if ('code' in end && end.code === 0) return lines.out
    const reason = lines.err.join(' ') || ('code' in end ? `exit code ${end.code}` : end.signal)
    throw new RunnerError(`${machine.name} could not clear up after a command: ${reason}`)
  } finally {
    process.close()
  }
}

/** Checks a run's name, which becomes part of a path. */
function checkedRun(run: string): string {
  if (!/^[A-Za-z0-9-]{1,128}$/.test(run)) throw new Error(`${JSON.stringify(run)} cannot name a run`)
  return run
}

function checkArgv(argv: Command['argv']): void {
  if (argv[0] === '' || argv[0].startsWith('-'))
    throw new Error(`${JSON.stringify(argv[0])} is not a program`)
  if (argv.some((element) => element.includes('\0'))) throw new Error('An argument holds a NUL character')
}
