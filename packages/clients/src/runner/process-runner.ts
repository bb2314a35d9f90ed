import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { abortable } from '../connect/abortable.ts'
import { splitLines } from './line-splitter.ts'
import {
  type Command,
  type FollowOptions,
  type Outcome,
  type Runner,
  RunnerError,
  type RunnerFailure,
  type RunOptions,
} from './runner.ts'
import {
  askScript,
  attachScript,
  cleanUpScript,
  endScript,
  replyPrefix,
  startScript,
  wrapperScript,
} from './scripts.ts'

/** A script that runs on a machine. */
export interface Process {
  readonly input: Writable
  readonly out: Readable
  readonly err: Readable
  /**
   * Settles when the script has ended, even if its output is still open.
   * @throws {RunnerError} if the machine is lost while it runs
   */
  readonly ended: Promise<{ readonly code: number } | { readonly signal: string }>
  /** Why the machine was lost, also after the end, when the rest of the output may not have arrived; null if it was not. */
  readonly lost?: () => RunnerError | null
  /** Ends its input and stops reading its output. */
  close(): void
}

export interface Machine {
  /** Within messages. */
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
/**
 * The end of a script may be known before all of its output has arrived, over a slow connection seconds before. What was started by
 * the login shell may hold the output open, so reading ends when it is quiet or takes too long.
 */
const drainQuietMs = 2_000
const drainTimeoutMs = 10_000
const drainStepMs = 50
/** Of one stream. Scripts keep half as much of a command's: what a compromised node sends beyond it must not fill the memory. */
const maxStreamBytes = 8 * 1024 * 1024
const scriptTimeoutMs = 60_000
/** For a machine to react to the end of a command. */
const endTimeoutMs = 20_000

export function createRunner(machine: Machine): Runner {
  return {
    run: (command, options) => runCommand(machine, command, options),
    attach: (command, options) => attachToCommand(machine, command, options),
    recover: (...runIds) => endRuns(machine, runIds),
    findRunning: (...runIds) => findRunning(machine, runIds),
    forget: (...prefixes) => forgetRuns(machine, 0, prefixes),
    forgetOlderThan: (minutes, ...prefixes) => forgetRuns(machine, minutes, prefixes),
  }
}

async function runCommand(machine: Machine, command: Command, options: RunOptions): Promise<Outcome> {
  const { argv, runId, timeoutMs, umask = '077' } = command
  checkArgv(argv)
  const parameters = [wrapperScript, machine.runsFolder, checkRunId(runId), umask, ...argv]
  const { signal, detach, onLine, beforeStart } = options
  const stop = detach === undefined ? signal : AbortSignal.any([signal, detach])
  if (stop.aborted) return { kind: 'cancelled' }
  let process: Process | undefined
  let script: Script
  try {
    process = await machine.start(startScript, parameters, { token: randomUUID(), signal: stop })
    script = readScript(machine, process, onLine)
    await abortable(script.reply('reserved'), stop)
    await beforeStart?.()
    stop.throwIfAborted()
    process.input.end('start\n')
  } catch (error) {
    process?.close()
    if (stop.aborted && error === stop.reason) return { kind: 'cancelled' }
    throw error
  }
  return follow(machine, runId, process, script, script.reply('started'), timeoutMs, options)
}

async function attachToCommand(
  machine: Machine,
  { runId, timeoutMs }: Pick<Command, 'runId' | 'timeoutMs'>,
  options: FollowOptions,
): Promise<Outcome | null> {
  const { detach, onLine } = options
  const parameters = [machine.runsFolder, checkRunId(runId)]
  if (detach?.aborted) return { kind: 'detached' }
  let process: Process | undefined
  try {
    process = await machine.start(attachScript, parameters, {
      token: randomUUID(),
      ...(detach && { signal: detach }),
    })
    process.input.end()
    const script = readScript(machine, process, onLine)
    const replied = script.reply('running', 'ended', 'none')
    const [reply, seconds] = await (detach === undefined ? replied : abortable(replied, detach))
    if (reply === 'none') {
      process.close()
      return null
    }
    // A command that has ended did so within its time.
    if (reply === 'ended') return await follow(machine, runId, process, script, replied, null, { onLine })
    const leftMs = Math.max(timeoutMs - Number(seconds) * 1000, 0)
    return await follow(machine, runId, process, script, replied, leftMs, options)
  } catch (error) {
    process?.close()
    if (detach?.aborted && error === detach.reason) return { kind: 'detached' }
    throw error
  }
}

/** @param timeoutMs null for a command that has ended */
async function follow(
  machine: Machine,
  runId: string,
  process: Process,
  script: Script,
  started: Promise<unknown>,
  timeoutMs: number | null,
  { signal, detach }: Partial<FollowOptions>,
): Promise<Outcome> {
  const silent = { code: 'node_end_unknown', params: { node: machine.name } } as const
  const timeout = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs)
  const stop = AbortSignal.any([signal, timeout, detach].filter((each) => each !== undefined))
  const running = started.then(() => process.ended)
  try {
    const end = await abortable(running, stop).catch((error: unknown) => {
      if (!stop.aborted || error !== stop.reason) throw error
      if (signal?.aborted) return 'cancelled'
      return timeout?.aborted ? 'timed-out' : 'detached'
    })
    if (end === 'detached') return { kind: end }
    if (end === 'cancelled' || end === 'timed-out') {
      // Before its start the machine does not know which processes to end.
      await withTimeout(Promise.race([started, process.ended]), endTimeoutMs, silent)
      const recovered = await endRuns(machine, [runId])
      await withTimeout(process.ended, endTimeoutMs, silent)
      await script.drain()
      // A command that has succeeded by now must not run again.
      return recovered === 'succeeded' ? { kind: 'exited', code: 0 } : { kind: end }
    }
    await script.drain()
    rejectLoss(process)
    if ('code' in end) return outcomeOf(end.code)
    // The wrapper was killed, and may have left the command behind.
    await endRuns(machine, [runId])
    return { kind: 'killed', signal: end.signal }
  } finally {
    script.stop()
    process.close()
  }
}

type Script = ReturnType<typeof readScript>
type Reply = 'reserved' | 'started' | 'running' | 'ended' | 'none'

/** Reads the replies of a script and the lines of the command that it follows then. */
function readScript(machine: Machine, process: Process, onLine: FollowOptions['onLine']) {
  const replies: string[] = []
  const errors: string[] = []
  const isFollowing = { out: false, err: false }
  let onReply = Promise.withResolvers<void>()
  const output = readOutput(process, (source, text) => {
    if (isFollowing[source]) return onLine(source, text)
    if (!text.startsWith(replyPrefix)) return void errors.push(text)
    const reply = text.slice(replyPrefix.length)
    isFollowing[source] = reply !== 'reserved'
    if (source === 'err') return
    replies.push(reply)
    onReply.resolve()
    onReply = Promise.withResolvers()
  })
  return {
    ...output,
    /**
     * Waits for one of these replies.
     * @returns its words
     * @throws {RunnerError} if the script ends without it, or does not reply in time
     */
    async reply(...wanted: readonly Reply[]): Promise<readonly string[]> {
      const find = () =>
        replies.map((reply) => reply.split(' ')).find(([word]) => wanted.some((each) => each === word))
      const silent = { code: 'node_silent', params: { node: machine.name } } as const
      for (;;) {
        const early = find()
        if (early) return early
        const end = await withTimeout(Promise.race([onReply.promise, process.ended]), scriptTimeoutMs, silent)
        if (!end) continue
        await output.drain()
        const late = find()
        if (late) return late
        const reason = errors.join(' ') || describeEnd(end)
        const params = { node: machine.name, folder: machine.runsFolder, reason }
        throw new RunnerError({ code: 'node_cannot_start', params })
      }
    },
  }
}

/** @throws {RunnerError} with the failure if it takes too long */
function withTimeout<T>(awaited: Promise<T>, limitMs: number, failure: RunnerFailure): Promise<T> {
  const late = AbortSignal.timeout(limitMs)
  return abortable(awaited, late).catch((error: unknown) => {
    throw late.aborted && error === late.reason ? new RunnerError(failure) : error
  })
}

function readOutput(
  process: Pick<Process, 'out' | 'err'>,
  onLine: (source: 'out' | 'err', text: string) => void,
) {
  const streams = (['out', 'err'] as const).map((source) => ({
    stream: process[source],
    lines: splitLines((text) => onLine(source, text)),
  }))
  let isReading = true
  let isQuiet = true
  const ends = streams.map(({ stream, lines }) => {
    let leftBytes = maxStreamBytes
    stream.on('data', (chunk: Buffer) => {
      isQuiet = false
      leftBytes -= chunk.length
      if (isReading && leftBytes >= 0) lines.write(chunk)
    })
    return new Promise<void>((resolve) => {
      stream.once('close', resolve).once('end', resolve)
      // A broken pipe has ended; the process's end is reported by `ended`.
      stream.once('error', () => resolve())
    })
  })
  return {
    stop() {
      isReading = false
    },
    /** Reads the rest after the process's end, once. */
    async drain() {
      if (!isReading) return
      const closed = Promise.all(ends).then(() => true)
      for (let waitedMs = 0, quietMs = 0; waitedMs < drainTimeoutMs; waitedMs += drainStepMs) {
        isQuiet = true
        if (await Promise.race([closed, sleep(drainStepMs, false)])) break
        // Timers come first in a process that was busy or stopped: what has arrived meanwhile is read now.
        await setImmediate()
        quietMs = isQuiet ? quietMs + drainStepMs : 0
        if (quietMs >= drainQuietMs) break
      }
      isReading = false
      for (const { lines } of streams) lines.end()
    },
  }
}

/** @throws {RunnerError} if output may be missing */
function rejectLoss({ lost }: Pick<Process, 'lost'>): void {
  const loss = lost?.() ?? null
  if (loss !== null) throw loss
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

/** Ends the processes of runs and returns whether one of them had succeeded. */
async function endRuns(machine: Machine, runIds: readonly string[]): Promise<'succeeded' | 'none'> {
  if (runIds.length === 0) return 'none'
  const parameters = [machine.runsFolder, String(killGraceMs / 1000), ...runIds.map(checkRunId)]
  const lines = await runToEnd(machine, endScript, parameters)
  // A login shell may have printed a greeting before.
  const reply = lines.at(-1)
  if (reply === 'succeeded' || reply === 'none') return reply
  const params = { node: machine.name, reply: reply ?? { code: 'node_reply_missing' } }
  throw new RunnerError({ code: 'node_outcome_unknown', params })
}

async function forgetRuns(machine: Machine, minutes: number, prefixes: readonly string[]): Promise<void> {
  await runToEnd(machine, cleanUpScript, [machine.runsFolder, String(minutes), ...prefixes.map(checkRunId)])
}

async function findRunning(machine: Machine, runIds: readonly string[]): Promise<readonly string[]> {
  if (runIds.length === 0) return []
  const lines = await runToEnd(machine, askScript, [machine.runsFolder, ...runIds.map(checkRunId)])
  if (lines.at(-1) === 'asked') return runIds.filter((runId) => lines.includes(runId))
  const params = { node: machine.name, reply: lines.at(-1) ?? { code: 'node_reply_missing' } }
  throw new RunnerError({ code: 'node_outcome_unknown', params })
}

/** Returns the lines that a script printed. */
async function runToEnd(machine: Machine, script: string, parameters: readonly string[]): Promise<string[]> {
  const process = await machine.start(script, parameters, { token: randomUUID() })
  process.input.end()
  const lines = { out: [] as string[], err: [] as string[] }
  const output = readOutput(process, (source, text) => lines[source].push(text))
  try {
    const silent = { code: 'node_silent', params: { node: machine.name } } as const
    const end = await withTimeout(process.ended, scriptTimeoutMs, silent)
    await output.drain()
    rejectLoss(process)
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
