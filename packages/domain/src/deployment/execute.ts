import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '@kustos/clients/queue'
import { RunnerError } from '@kustos/clients/runner'
import { deployments, nodes } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { asError } from '../errors.ts'
import { lasting } from '../lasting.ts'
import { builtins, checkTarget, type StepWork } from './builtins.ts'
import { type Claim, claim, holdOn } from './claim.ts'
import { runCommand, runnerOf } from './command.ts'
import { Lost, sentenceOf } from './failure.ts'
import { type End, type Hold, hold } from './hold.ts'
import { type LogWriter, openLog } from './log-writer.ts'
import type { CommandStep, RecipeStep } from './recipes.ts'
import { forgetRuns, recoverRuns, runName } from './runs.ts'
import type { ExecutionTools } from './tools.ts'
import { hurryNext, isWaiting } from './turn.ts'

/** In milliseconds. */
const heartbeat = 1_000
/** When one that could not begin looks again by itself; those that end hurry the next. In milliseconds. */
const lookAgain = 5_000

/** How often, and how many milliseconds after each other, a machine that was lost amid a command is asked about it. */
const timesAsked = 12
const askAgain = 5_000

/** Why an execution comes to its end before the last step. */
type Interruption = 'cancelled' | 'stopped' | 'lost'

/**
 * Executes a deployment from the first step that is not done.
 * @param stopping aborted when the process ends: the running command is ended, the deployment handed back
 */
export async function executeDeployment(
  context: Context,
  tools: ExecutionTools,
  id: number,
  stopping: AbortSignal,
): Promise<Run> {
  const holder = randomUUID()
  const claimed = await claim(context, id, { holder, nodeConcurrency: tools.nodeConcurrency })
  if (claimed === 'over') return 'over'
  if (claimed === 'held' || claimed === 'waiting') return { again: lookAgain }
  const end = await new Execution(context, tools, claimed, holder, stopping).run()
  if (end === 'lost') return { again: lookAgain }
  await hurryNext(context, tools, claimed.row)
  // Who retried it just now found this job still there, and so added none.
  if (end.state === 'waiting' || (await isWaiting(context, id))) return { again: 0 }
  if (end.state === 'succeeded') return 'over'
  return { failed: end.state === 'failed' ? end.error : 'Cancelled.' }
}

class Execution {
  readonly #context: Context
  readonly #tools: ExecutionTools
  readonly #claimed: Claim
  readonly #holder: string
  readonly #hold: Hold
  readonly #stopping: AbortSignal
  readonly #ending = new AbortController()
  #interruption: Interruption | undefined
  #webId: number | null
  /** Whether a command's end could not be learnt: what its machine keeps of it is the only way to find it again. */
  #mayStillRun = false

  constructor(
    context: Context,
    tools: ExecutionTools,
    claimed: Claim,
    holder: string,
    stopping: AbortSignal,
  ) {
    this.#context = context
    this.#tools = tools
    this.#claimed = claimed
    this.#holder = holder
    this.#hold = hold(context, claimed.row, holder, stopping)
    this.#stopping = stopping
    this.#webId = claimed.row.web_id
  }

  async run(): Promise<End | 'lost'> {
    const { row } = this.#claimed
    const stop = () => this.#interrupt('stopped')
    this.#stopping.addEventListener('abort', stop, { once: true })
    if (this.#stopping.aborted) stop()
    if (row.cancel_requested_at !== null) this.#interrupt('cancelled')
    const beats = setInterval(() => void this.#beat(), heartbeat)
    try {
      const log = await lasting(this.#stopping, () => openLog(this.#context, row.id, this.#stopping))
      const node = await lasting(this.#stopping, () => this.#node())
      const wanted = await this.#carryOut(log, node)
      await log.flush()
      const end = await this.#hold.settle(wanted, this.#webId)
      if (end.state !== 'waiting' && !this.#mayStillRun) await this.#forgetRuns(node, end)
      return end
    } catch (error) {
      if (error instanceof Lost || this.#interruption === 'lost') return 'lost'
      throw error
    } finally {
      clearInterval(beats)
      this.#stopping.removeEventListener('abort', stop)
    }
  }

  /**
   * Where another execution holds the deployment, its recovery has ended our command, or is about to: to end a run of this
   * name ourselves could hit the one that it begins.
   */
  #interrupt(why: Interruption): void {
    this.#interruption ??= why
    if (this.#interruption !== 'lost') this.#ending.abort()
  }

  /** While the database is away nobody else can take the deployment, so a beat that fails is no reason to stop. */
  async #beat(): Promise<void> {
    try {
      const heard = await holdOn(this.#context, this.#claimed.row.id, this.#holder)
      if (heard === 'cancel') this.#interrupt('cancelled')
      if (heard === 'lost') this.#interrupt('lost')
    } catch (error) {
      this.#tools.onError(asError(error))
    }
  }

  async #carryOut(log: LogWriter, node: StepWork['node']): Promise<End> {
    const { row, steps } = this.#claimed
    const recipe = this.#tools.recipes[row.kind]
    for (const { step: index, name, state, error: failed } of steps) {
      if (state === 'succeeded' || state === 'skipped') continue
      // Its execution died before it could end the row.
      if (state === 'failed') return { state, error: `${name}: ${failed}` }
      if (state === 'cancelled') return { state }
      const step = recipe[index]
      const error =
        step?.name === name
          ? await this.#attempt(step, index, state === 'running', node, log)
          : `The recipe of ${row.kind} has changed since this deployment was asked for: ask anew.`
      if (error === null) {
        await this.#hold.mark(index, 'succeeded')
        continue
      }
      return this.#giveUp(index, name, error, log)
    }
    return { state: 'succeeded' }
  }

  async #giveUp(index: number, name: string, error: string, log: LogWriter): Promise<End> {
    switch (this.#interruption) {
      case 'lost':
        throw new Lost()
      case 'stopped':
        log.write(index, 'note', 'Kustos is being stopped: this step begins again when it is back.')
        // As running it is looked for again before it begins anew.
        if (!this.#mayStillRun) await this.#hold.mark(index, 'pending')
        return { state: 'waiting' }
      case 'cancelled':
        if (this.#mayStillRun) log.write(index, 'note', error)
        log.write(index, 'note', 'Cancelled.')
        await this.#hold.mark(index, 'cancelled')
        return { state: 'cancelled' }
      case undefined:
        log.write(index, 'note', error)
        await this.#hold.mark(index, 'failed', error)
        return { state: 'failed', error: `${name}: ${error}` }
    }
  }

  /** @returns what went wrong, in a sentence; null where the step is done */
  async #attempt(
    step: RecipeStep,
    index: number,
    wasRunning: boolean,
    node: StepWork['node'],
    log: LogWriter,
  ): Promise<string | null> {
    const work = this.#work(node, (text) => log.write(index, 'note', text))
    try {
      // What a dead execution left behind is cleared up even where this one is to be cancelled.
      if (step.place !== 'builtin' && (await this.#hasSucceeded(step, index, wasRunning, node))) {
        work.note('This step had come to its end already.')
        return null
      }
      if (this.#ending.signal.aborted) return 'interrupted'
      if (wasRunning) work.note('The worker of this step died: it begins again.')
      await lasting(this.#stopping, () => checkTarget(work))
      await this.#hold.mark(index, 'running')
      if (step.place !== 'builtin') return await this.#command(work, step, index, log)
      // Safe to do again, so a database that is away for a moment costs a repetition.
      await lasting(this.#stopping, () => builtins[step.do](work, step))
      await lasting(this.#stopping, () => this.#readWeb())
      return null
    } catch (error) {
      if (error instanceof Lost) throw error
      const sentence = sentenceOf(error)
      if (sentence !== null) return sentence
      if (this.#ending.signal.aborted) return 'interrupted'
      this.#tools.onError(asError(error))
      return 'Kustos itself failed at this step; its log says why.'
    }
  }

  /** Ends what still lives of earlier runs of a step. @returns whether one of them had ended well */
  async #hasSucceeded(
    step: CommandStep,
    index: number,
    wasRunning: boolean,
    node: StepWork['node'],
  ): Promise<boolean> {
    const { row } = this.#claimed
    const runner = runnerOf(step, node, this.#tools.runners)
    try {
      return await recoverRuns(runner, row, index, wasRunning ? row.attempts : row.attempts - 1)
    } catch (error) {
      this.#mayStillRun = true
      throw error
    }
  }

  /** Where the machine is lost amid a command, it is asked again what became of it. */
  async #command(work: StepWork, step: CommandStep, index: number, log: LogWriter): Promise<string | null> {
    const run = runName(this.#claimed.row, index)
    try {
      return await runCommand(work, step, run, (source, text) => log.write(index, source, text))
    } catch (error) {
      if (!(error instanceof RunnerError)) throw error
      work.note(error.message)
      const runner = runnerOf(step, work.node, this.#tools.runners)
      for (let asked = 0; asked < timesAsked; asked++) {
        await sleep(askAgain)
        if (this.#stopping.aborted || this.#interruption === 'lost') break
        const end = await runner.recover(run).catch((again: unknown) => {
          if (again instanceof RunnerError) return 'unknown'
          throw again
        })
        if (end === 'succeeded') return null
        if (end === 'none') return error.message
      }
      this.#mayStillRun = true
      return `${error.message} Whether its command has ended is not known.`
    }
  }

  #work(node: StepWork['node'], note: StepWork['note']): StepWork {
    const { row } = this.#claimed
    const [context, tools, webId] = [this.#context, this.#tools, this.#webId]
    return { context, tools, row, node, webId, signal: this.#ending.signal, note }
  }

  /** A step of ours may have created the web. */
  async #readWeb(): Promise<void> {
    if (this.#webId !== null) return
    const [now] = await this.#context.db
      .select({ web_id: deployments.web_id })
      .from(deployments)
      .where(eq(deployments.id, this.#claimed.row.id))
    this.#webId = now?.web_id ?? null
  }

  async #node(): Promise<StepWork['node']> {
    const { node_id } = this.#claimed.row
    if (node_id === null) return null
    const [node] = await this.#context.db.select().from(nodes).where(eq(nodes.id, node_id))
    return node ?? null
  }

  async #forgetRuns(node: StepWork['node'], end: End): Promise<void> {
    const { row } = this.#claimed
    try {
      await forgetRuns(this.#tools, this.#tools.recipes[row.kind], node, row, end)
    } catch (error) {
      this.#tools.onError(asError(error))
    }
  }
}
