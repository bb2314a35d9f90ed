import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobOutcome } from '@kustos/clients/queue'
import { RunnerError } from '@kustos/clients/runner'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { deployments, nodes } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { heartbeatMs, LeaseLostError } from '../platform/lease.ts'
import { retryTransient } from '../platform/retry.ts'
import { readStoredError } from '../platform/stored-message.ts'
import { builtins, checkTarget, type StepWork } from './builtins.ts'
import { type Claim, claimDeployment, isWaiting, promoteNext } from './claim.ts'
import { runCommand, selectRunner } from './command.ts'
import { knownFailureMessage } from './failure.ts'
import { createLease, type End, type Lease } from './lease.ts'
import { type LogWriter, openLogWriter } from './log-writer.ts'
import type { CommandStep, RecipeStep } from './recipes.ts'
import { createRunId, forgetRuns, recoverRuns } from './runs.ts'
import type { ExecutionTools } from './tools.ts'

/** A deployment that has to wait checks this often by itself. One that ends promotes the next. */
const retryDelayMs = 5_000

/** A machine whose connection breaks during a command is asked this often what became of it. */
const recoveryAttempts = 12
const recoveryIntervalMs = 5_000

/** Why an execution ends before its last step. */
type Interruption = 'cancelled' | 'stopped' | 'lost'

/**
 * Executes a deployment from the first step that is not done.
 * @param stopping aborted when the process ends; the command is stopped and the deployment waits again
 */
export async function executeDeployment(
  context: Context,
  tools: ExecutionTools,
  id: number,
  stopping: AbortSignal,
): Promise<JobOutcome> {
  const holder = randomUUID()
  const claimed = await claimDeployment(context, id, { holder, nodeConcurrency: tools.nodeConcurrency })
  if (claimed === 'finished') return 'done'
  if (claimed === 'held' || claimed === 'waiting') return { retryInMs: retryDelayMs }
  const lease = createLease(context, claimed.row, holder, stopping)
  const end = await new Execution(context, tools, claimed, lease, stopping).run()
  if (end === 'lost') return { retryInMs: retryDelayMs }
  await promoteNext(context, tools, claimed.row)
  // A retry that found this job still there has not added another.
  if (end.state === 'waiting' || (await isWaiting(context, id))) return { retryInMs: 0 }
  if (end.state === 'succeeded') return 'done'
  return { failed: end.state === 'failed' ? englishText(end.error) : 'Cancelled.' }
}

class Execution {
  readonly #context: Context
  readonly #tools: ExecutionTools
  readonly #claimed: Claim
  readonly #lease: Lease
  readonly #stopping: AbortSignal
  readonly #ending = new AbortController()
  #interruption: Interruption | undefined
  #webId: number | null
  /** Whether a command may still run. Its records on the machine are then kept, since only they can find it. */
  #mayStillRun = false

  constructor(context: Context, tools: ExecutionTools, claimed: Claim, lease: Lease, stopping: AbortSignal) {
    this.#context = context
    this.#tools = tools
    this.#claimed = claimed
    this.#lease = lease
    this.#stopping = stopping
    this.#webId = claimed.row.web_id
  }

  async run(): Promise<End | 'lost'> {
    const { row } = this.#claimed
    const stop = () => this.#interrupt('stopped')
    this.#stopping.addEventListener('abort', stop, { once: true })
    if (this.#stopping.aborted) stop()
    if (row.cancel_requested_at !== null) this.#interrupt('cancelled')
    const heartbeat = setInterval(() => void this.#sendHeartbeat(), heartbeatMs)
    try {
      const log = await retryTransient(this.#stopping, () =>
        openLogWriter(this.#context, row.id, this.#stopping),
      )
      const node = await retryTransient(this.#stopping, () => this.#node())
      const wanted = await this.#runSteps(log, node)
      await log.flush()
      const end = await this.#lease.finish(wanted, this.#webId)
      if (end.state !== 'waiting' && !this.#mayStillRun) await this.#forgetRuns(node, end)
      return end
    } catch (error) {
      if (error instanceof LeaseLostError || this.#interruption === 'lost') return 'lost'
      throw error
    } finally {
      clearInterval(heartbeat)
      this.#stopping.removeEventListener('abort', stop)
    }
  }

  /**
   * Once the lease is lost, the new holder stops our command. Stopping it here could hit the command that the new holder
   * starts under the same name.
   */
  #interrupt(why: Interruption): void {
    this.#interruption ??= why
    if (this.#interruption !== 'lost') this.#ending.abort()
  }

  /** A failed heartbeat is not a reason to stop: while the database is down nobody can take the lease over. */
  async #sendHeartbeat(): Promise<void> {
    try {
      const renewal = await this.#lease.renew()
      if (renewal === 'cancel') this.#interrupt('cancelled')
      if (renewal === 'lost') this.#interrupt('lost')
    } catch (error) {
      this.#tools.onError(toError(error))
    }
  }

  async #runSteps(log: LogWriter, node: StepWork['node']): Promise<End> {
    const { row, steps } = this.#claimed
    const recipe = this.#tools.recipes[row.kind] ?? []
    for (const { step: index, name, name_code, state, ...failed } of steps) {
      if (state === 'succeeded' || state === 'skipped') continue
      const named = name_code === null ? name : { code: name_code }
      // The previous execution died before it could finish the deployment.
      if (state === 'failed') return { state, error: failureOf(named, readStoredError(failed)) }
      if (state === 'cancelled') return { state }
      const step = recipe[index]
      const error =
        step?.name === name
          ? await this.#attempt(step, index, state === 'running', node, log)
          : message('recipe_changed', { kind: row.kind })
      if (error === null) {
        await this.#lease.mark(index, 'succeeded')
        continue
      }
      return this.#endAfterFailure(index, named, error, log)
    }
    return { state: 'succeeded' }
  }

  async #endAfterFailure(
    index: number,
    step: string | Message,
    error: Message,
    log: LogWriter,
  ): Promise<End> {
    switch (this.#interruption) {
      case 'lost':
        throw new LeaseLostError(`deployment ${this.#claimed.row.id}`)
      case 'stopped':
        log.write(index, 'note', 'Kustos is being stopped: this step begins again when it is back.')
        // A step that stays running is recovered before it is repeated.
        if (!this.#mayStillRun) await this.#lease.mark(index, 'pending')
        return { state: 'waiting' }
      case 'cancelled':
        if (this.#mayStillRun) log.write(index, 'note', englishText(error))
        log.write(index, 'note', 'Cancelled.')
        await this.#lease.mark(index, 'cancelled')
        return { state: 'cancelled' }
      case undefined:
        log.write(index, 'note', englishText(error))
        await this.#lease.mark(index, 'failed', error)
        return { state: 'failed', error: failureOf(step, error) }
    }
  }

  /** @returns why the step failed; null if it succeeded */
  async #attempt(
    step: RecipeStep,
    index: number,
    wasRunning: boolean,
    node: StepWork['node'],
    log: LogWriter,
  ): Promise<Message | null> {
    const work = this.#work(node, (text) => log.write(index, 'note', text))
    try {
      // The commands of a dead execution are recovered even if this one is to be cancelled.
      if (step.place !== 'builtin' && (await this.#hasSucceeded(step, index, wasRunning, node))) {
        work.note('This step had come to its end already.')
        return null
      }
      if (this.#ending.signal.aborted) return message('step_interrupted')
      if (wasRunning) work.note('The worker of this step died: it begins again.')
      await retryTransient(this.#stopping, () => checkTarget(work))
      await this.#lease.mark(index, 'running')
      if (step.place !== 'builtin') return await this.#command(work, step, index, log)
      await retryTransient(this.#stopping, () => builtins[step.do](work, step))
      await retryTransient(this.#stopping, () => this.#readWeb())
      return null
    } catch (error) {
      if (error instanceof LeaseLostError) throw error
      const known = knownFailureMessage(error)
      if (known !== null) return known
      if (this.#ending.signal.aborted) return message('step_interrupted')
      this.#tools.onError(toError(error))
      return message('step_unexpected')
    }
  }

  /** Stops earlier runs of a step. @returns whether one of them had succeeded */
  async #hasSucceeded(
    step: CommandStep,
    index: number,
    wasRunning: boolean,
    node: StepWork['node'],
  ): Promise<boolean> {
    const { row } = this.#claimed
    const runner = selectRunner(step, node, this.#tools.runners)
    try {
      return await recoverRuns(runner, row, index, wasRunning ? row.attempts : row.attempts - 1)
    } catch (error) {
      this.#mayStillRun = true
      throw error
    }
  }

  /** If the connection breaks during a command, asks the machine what became of it. */
  async #command(work: StepWork, step: CommandStep, index: number, log: LogWriter): Promise<Message | null> {
    const runId = createRunId(this.#claimed.row, index)
    try {
      return await runCommand(work, step, runId, (source, text) => log.write(index, source, text))
    } catch (error) {
      if (!(error instanceof RunnerError)) throw error
      const reason = error.codedMessage
      work.note(englishText(reason))
      const runner = selectRunner(step, work.node, this.#tools.runners)
      for (let asked = 0; asked < recoveryAttempts; asked++) {
        await sleep(recoveryIntervalMs)
        if (this.#stopping.aborted || this.#interruption === 'lost') break
        const end = await runner.recover(runId).catch((again: unknown) => {
          if (again instanceof RunnerError) return 'unknown'
          throw again
        })
        if (end === 'succeeded') return null
        if (end === 'none') return reason
      }
      this.#mayStillRun = true
      return message('command_end_unknown', { reason })
    }
  }

  #work(node: StepWork['node'], note: StepWork['note']): StepWork {
    const { row } = this.#claimed
    const [context, tools, webId] = [this.#context, this.#tools, this.#webId]
    return { context, tools, row, node, webId, signal: this.#ending.signal, note }
  }

  /** A builtin step may have created the web. */
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
      await forgetRuns(this.#tools, this.#tools.recipes[row.kind] ?? [], node, row, end)
    } catch (error) {
      this.#tools.onError(toError(error))
    }
  }
}

const failureOf = (step: string | Message, reason: Message): Message =>
  message('step_failed', { step, reason })
