import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from '../connect/abortable.ts'
import { splitLines } from './line-splitter.ts'
import {
  type Command,
  type Outcome,
  type Runner,
  RunnerError,
  type RunnerFailure,
  type RunOptions,
} from './runner.ts'
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
  /** Within messages. */
  readonly name: string | { readonly code: 'the_controller' }
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
    recover: (runId) => endRun(machine, runId),
    async forget(prefix) {
      await runToEnd(machine, cleanUpScript, [machine.runsFolder, checkRunId(prefix)])
    },
  }
}

async function runCommand(machine: Machine, command: Command, options: RunOptions): Promise<Outcome> {
  const { argv, runId, timeoutMs } = command
  checkArgv(argv)
  const parameters = [machine.runsFolder, checkRunId(runId), ...argv]
  const { signal } = options
  if (signal.aborted) return { kind: 'cancelled' }
  let process: Process
  try {
    process = await machine.start(runScript, parameters, { token: randomUUID(), signal })
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { kind: 'cancelled' }
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

  const silent = { code: 'node_end_unknown', params: { node: machine.name } } as const
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const early = await abortable(process.ended, stop).catch((error: unknown) => {
      if (!stop.aborted || error !== stop.reason) throw error
      return signal.aborted ? 'cancelled' : 'timed-out'
    })
    if (early === 'cancelled' || early === 'timed-out') {
      // Before its start the machine does not know which processes to end.
      await withTimeout(Promise.race([started.promise, process.ended]), endTimeoutMs, silent)
      const end = await endRun(machine, runId)
      await withTimeout(process.ended, endTimeoutMs, silent)
      await output.drain()
      // A command that has succeeded by now must not run again.
      return end === 'succeeded' ? { kind: 'exited', code: 0 } : { kind: early }
    }
    await output.drain()
    if (!isRunning) {
      const reason = startErrors.join(' ') || describeEnd(early)
      const params = { node: machine.name, folder: machine.runsFolder, reason }
      throw new RunnerError({ code: 'node_cannot_start', params })
    }
    return 'code' in early ? outcomeOf(early.code) : { kind: 'killed', signal: early.signal }
  } finally {
    process.close()
  }
}

/** @throws {RunnerError} with the failure if it takes too long */
function withTimeout<T>(awaited: Promise<T>, limitMs: number, failure: RunnerFailure): Promise<T> {
  const late = AbortSignal.timeout(limitMs)
  return abortable(awaited, late).catch((error: unknown) => {
    throw late.aborted && error === late.reason ? new RunnerError(failure) : error
  })
}

function readOutput(process: Process, onLine: (source: 'out' | 'err', text: string) => void) {
  const streams = (['out', 'err'] as const).map((source) => ({
    stream: process[source],
    lines: splitLines((text) => onLine(source, text)),
  }))
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
      const closed = Promise.all(ends).then(() => true)
      for (let isClosed = false; !isClosed; isClosed = await Promise.race([closed, sleep(50, false)])) {
        const now = Date.now()
        if (now - Math.max(lastOutputAt, since) >= drainQuietMs || now - since >= drainTimeoutMs) break
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
  return signal === undefined ? { kind: 'exited', code } : { kind: 'killed', signal }
}

/** Ends the processes of a run and returns whether it had succeeded. */
async function endRun(machine: Machine, runId: string): Promise<'succeeded' | 'none'> {
  const parameters = [machine.runsFolder, checkRunId(runId), String(killGraceMs / 1000)]
  const lines = await runToEnd(machine, endScript, parameters)
  // A login shell may have printed a greeting before.
  const reply = lines.at(-1)
  if (reply === 'succeeded' || reply === 'none') return reply
  const params = { node: machine.name, reply: reply ?? { code: 'node_reply_missing' } }
  throw new RunnerError({ code: 'node_outcome_unknown', params })
}

/** Returns the lines that a script printed. */
async function runToEnd(machine: Machine, script: string, parameters: readonly string[]): Promise<string[]> {
  const process = await machine.start(script, parameters, { token: randomUUID() })
  const lines = { out: [] as string[], err: [] as string[] }
  const output = readOutput(process, (source, text) => lines[source].push(text))
  try {
    const silent = { code: 'node_silent', params: { node: machine.name } } as const
    const end = await withTimeout(process.ended, scriptTimeoutMs, silent)
    await output.drain()
    if ('code' in end && end.code === 0) return lines.out
    const reason = lines.err.join(' ') || describeEnd(end)
    throw new RunnerError({ code: 'node_not_cleaned_up', params: { node: machine.name, reason } })
  } finally {
    process.close()
  }
}

const describeEnd = (end: Awaited<Process['ended']>) =>
  'code' in end ? { code: 'exited_with', params: { exitCode: end.code } } : end.signal

/** Checks a run id, which becomes part of a path. */
function checkRunId(runId: string): string {
  if (!/^[A-Za-z0-9-]{1,128}$/.test(runId)) throw new Error(`${JSON.stringify(runId)} is not a valid run id`)
  return runId
}

function checkArgv(argv: Command['argv']): void {
  if (argv[0] === '' || argv[0].startsWith('-'))
    throw new Error(`${JSON.stringify(argv[0])} is not a program`)
  if (argv.some((element) => element.includes('\0'))) throw new Error('An argument holds a NUL character')
}
