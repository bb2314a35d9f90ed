import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { splitLines } from './lines.ts'
import { type Command, type Outcome, type Runner, RunnerError, type RunOptions } from './runner.ts'
import { ending, forgetting, startedLine, wrapper } from './scripts.ts'

/** One of the constant scripts at work on a machine. */
export interface Process {
  readonly out: Readable
  readonly err: Readable
  /**
   * Settles when the script itself has ended, whoever still holds its output open.
   * @throws {RunnerError} where the machine is lost meanwhile
   */
  readonly ended: Promise<{ readonly code: number } | { readonly signal: string }>
  /** Listens to its output no longer. */
  close(): void
}

/** A way to start the scripts on one machine. */
export interface Machine {
  /** As it is called in sentences. */
  readonly name: string
  /** Where runs are kept there. */
  readonly runsFolder: string
  /**
   * Starts `sh -c script` as the leader of its own process group.
   * @param given.signal ends the wait for a machine that does not answer, as long as nothing was started
   * @throws {RunnerError} where the machine cannot be reached; the signal's reason where nothing was started for it
   */
  start(
    script: string,
    parameters: readonly string[],
    given: { readonly token: string; readonly signal?: AbortSignal },
  ): Promise<Process>
}

/** In seconds, between asking a command to end and ending it. */
const patience = 5
/**
 * In milliseconds: a command's output is read on after its end until it is closed; but where a grandchild holds it open,
 * only until nothing came for so long, and no longer than so long in all.
 */
const afterwards = { quiet: 500, inAll: 10_000 }
/** In milliseconds; asking what became of a run, ending it meanwhile, takes no longer. */
const askingTakes = 60_000

/** In milliseconds: a machine that does not react to the end of a command is given up. */
const endingTakes = 20_000

/** Carries commands out on a machine, in whatever way scripts are started there. */
export function createRunner(machine: Machine): Runner {
  return {
    run: (command, options) => runCommand(machine, command, options),
    recover: (run) => endRun(machine, run),
    async forget(prefix) {
      await ask(machine, forgetting, [machine.runsFolder, checkedRun(prefix)])
    },
  }
}

async function runCommand(machine: Machine, command: Command, options: RunOptions): Promise<Outcome> {
  const { argv, run, timeout } = command
  checkArgv(argv)
  const parameters = [machine.runsFolder, checkedRun(run), ...argv]
  const { signal } = options
  if (signal.aborted) return { how: 'cancelled' }
  let process: Process
  try {
    process = await machine.start(wrapper, parameters, { token: randomUUID(), signal })
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { how: 'cancelled' }
    throw error
  }

  const started = Promise.withResolvers<void>()
  const troubles: string[] = []
  let running = false
  const output = readOutput(process, (source, text) => {
    if (running) options.onLine(source, text)
    else if (source === 'out' && text === startedLine) {
      running = true
      started.resolve()
    } else troubles.push(text)
  })

  const silent = `${machine.name} does not say whether the command has ended.`
  const stop = stopper(signal, timeout)
  try {
    const early = await Promise.race([process.ended, stop.asked])
    if (early === 'cancelled' || early === 'timed-out') {
      // Before that the machine could not tell which processes to end.
      await inTime(Promise.race([started.promise, process.ended]), endingTakes, silent)
      const end = await endRun(machine, run)
      await inTime(process.ended, endingTakes, silent)
      await output.finished()
      // It may have come to its own end meanwhile, and must not be told to run again then.
      return end === 'succeeded' ? { how: 'exited', code: 0 } : { how: early }
    }
    await output.finished()
    if (!running) {
      const reason = troubles.join(' ') || ('code' in early ? `exit code ${early.code}` : early.signal)
      throw new RunnerError(`${machine.name} cannot start commands in ${machine.runsFolder}: ${reason}`)
    }
    return 'code' in early ? outcomeOf(early.code) : { how: 'killed', signal: early.signal }
  } finally {
    stop.clear()
    process.close()
  }
}

/** @throws RunnerError with the sentence where it takes longer than so many milliseconds */
async function inTime<T>(awaited: Promise<T>, limit: number, sentence: string): Promise<T> {
  const settled = new AbortController()
  const late = sleep(limit, 'late' as const, { signal: settled.signal }).catch(() => 'late' as const)
  try {
    const first = await Promise.race([awaited.then((value) => ({ value })), late])
    if (first === 'late') throw new RunnerError(sentence)
    return first.value
  } finally {
    settled.abort()
  }
}

/** Settles with why a command has to end, where it has to. */
function stopper(signal: AbortSignal, timeout: number) {
  const { promise: asked, resolve } = Promise.withResolvers<'cancelled' | 'timed-out'>()
  const onAbort = () => resolve('cancelled')
  const timer = setTimeout(() => resolve('timed-out'), timeout)
  signal.addEventListener('abort', onAbort, { once: true })
  // Meanwhile it may have come, and is not told again.
  if (signal.aborted) onAbort()
  return {
    asked,
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
  let listening = true
  let heard = 0
  const ends = streams.map(({ stream, lines }) => {
    stream.on('data', (chunk: Buffer) => {
      heard = Date.now()
      if (listening) lines.write(chunk)
    })
    return new Promise<void>((resolve) => {
      stream.once('close', resolve).once('end', resolve)
      // A pipe that breaks has ended; how the process ended is told elsewhere.
      stream.once('error', () => resolve())
    })
  })
  return {
    /** Waits for the rest, once the process has ended. */
    async finished() {
      const since = Date.now()
      const closed = Promise.all(ends).then(() => 'closed' as const)
      let end: 'closed' | 'open' = 'open'
      while (end === 'open') {
        const now = Date.now()
        if (now - Math.max(heard, since) >= afterwards.quiet || now - since >= afterwards.inAll) break
        end = await Promise.race([closed, sleep(50, 'open' as const)])
      }
      listening = false
      for (const { lines } of streams) lines.end()
    },
  }
}

/** Shells report the end by a signal as 128 and its number; the signals by which programs are ended or crash. */
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

/** Ends what lives of a run. @returns whether it had succeeded */
async function endRun(machine: Machine, run: string): Promise<'succeeded' | 'none'> {
  const parameters = [machine.runsFolder, checkedRun(run), String(patience)]
  const lines = await ask(machine, ending, parameters)
  // A login shell may have greeted us before.
  const answer = lines.at(-1)
  if (answer === 'succeeded' || answer === 'none') return answer
  throw new RunnerError(`${machine.name} does not say what became of a command: ${answer ?? 'no answer'}`)
}

/** @returns the lines that a script wrote */
async function ask(machine: Machine, script: string, parameters: readonly string[]): Promise<string[]> {
  const process = await machine.start(script, parameters, { token: randomUUID() })
  const lines = { out: [] as string[], err: [] as string[] }
  const output = readOutput(process, (source, text) => lines[source].push(text))
  try {
    const end = await inTime(process.ended, askingTakes, `${machine.name} does not answer.`)
    await output.finished()
    if ('code' in end && end.code === 0) return lines.out
    const reason = lines.err.join(' ') || ('code' in end ? `exit code ${end.code}` : end.signal)
    throw new RunnerError(`${machine.name} could not clear up after a command: ${reason}`)
  } finally {
    process.close()
  }
}

/** Part of a path on the machine. */
function checkedRun(run: string): string {
  if (!/^[A-Za-z0-9-]{1,128}$/.test(run)) throw new Error(`${JSON.stringify(run)} cannot name a run`)
  return run
}

function checkArgv(argv: Command['argv']): void {
  if (argv[0] === '' || argv[0].startsWith('-'))
    throw new Error(`${JSON.stringify(argv[0])} is no program to run`)
  if (argv.some((element) => element.includes('\0'))) throw new Error('An argument holds a NUL character')
}
