import { randomUUID } from 'node:crypto'
import type { JobOutcome } from '@kustos/clients/queue'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { isUnavailable } from '@kustos/database/client'
import { deployments, nodes } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { unexpectedFailure } from '../platform/jobs.ts'
import { heartbeatMs, LeaseLostError } from '../platform/lease.ts'
import { createMask, type Mask, secretsIn } from '../platform/masking/index.ts'
import { panelSecrets } from '../platform/panel-key.ts'
import { retryTransient } from '../platform/retry.ts'
import { readStoredError } from '../platform/stored-message.ts'
import { withSpan } from '../platform/tracing/index.ts'
import { builtins, checkTarget, type StepWork } from './builtins.ts'
import { type Claim, claimDeployment, isWaiting, promoteNext } from './claim.ts'
import { type CommandOptions, openCommand, type StepCommand, selectRunner } from './command.ts'
import { knownFailureMessage } from './failure.ts'
import { followCommand } from './follow-command.ts'
import { jobIdOf } from './jobs.ts'
import { createLease, type End, type Lease, maxWorkerDeaths } from './lease.ts'
import { countLines, type LogWriter, openLogWriter } from './log-writer.ts'
import type { CommandStep, RecipeStep } from './recipes.ts'
import { createRunId, forgetRuns, recoverRuns } from './runs.ts'
import type { ExecutionTools } from './tools.ts'

/** A deployment that has to wait checks this often by itself. One that ends promotes the next. */
const retryDelayMs = 5_000

/** Why an execution ends before its last step. */
type Interruption = 'cancelled' | 'stopped' | 'lost'

/**
 * Executes a deployment from the first step that is not done.
 * @param stopping aborted when the process ends; the command goes on, and the next execution follows it
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
  const lease = createLease(context, claimed.row, stopping)
  const end = await new Execution(tools, claimed, lease, stopping).run()
  if (end === 'lost') return { retryInMs: retryDelayMs }
  if (end.state === 'running') return { retryInMs: 0 }
  await promoteNext(context, tools, claimed.row)
  // A retry that found this job still there has not added another.
  if (end.state === 'waiting') return { retryInMs: end.retryInMs ?? 0 }
  if (await isWaiting(context, id)) return { retryInMs: 0 }
  if (end.state === 'succeeded') return 'done'
  return { failed: end.state === 'failed' ? englishText(end.error) : 'Cancelled.' }
}

class Execution {
  readonly #context: Context
  readonly #tools: ExecutionTools
  readonly #claimed: Claim
  readonly #lease: Lease
  readonly #stopping: AbortSignal
  #secrets: readonly string[]
  #mask: Mask
  /** Ends the command. */
  readonly #cancelling = new AbortController()
  /** Stops following the command. */
  readonly #detaching = new AbortController()
  readonly #ending: AbortSignal
  #interruption: Interruption | undefined
  #webId: number | null
  /** Whether a command may still run. Its records on the machine are then kept, since only they can find it. */
  #mayStillRun = false
  /** Whether a command has ended by itself, so that its step is not repeated. */
  #hasCommandEnded = false

  constructor(tools: ExecutionTools, claimed: Claim, lease: Lease, stopping: AbortSignal) {
    this.#context = lease.context
    this.#tools = tools
    this.#claimed = claimed
    this.#lease = lease
    this.#stopping = stopping
    this.#ending = AbortSignal.any([this.#cancelling.signal, stopping])
    this.#webId = claimed.row.web_id
    const recipe = tools.recipes[claimed.row.kind] ?? []
    const recipeSecrets = recipe.flatMap((step) => (step.place === 'builtin' ? [] : secretsIn(step.argv)))
    this.#secrets = [...tools.secrets, ...recipeSecrets]
    this.#mask = createMask(this.#secrets)
  }

  async run(): Promise<End | 'lost'> {
    const { row } = this.#claimed
    const stop = () => this.#interrupt('stopped')
    this.#stopping.addEventListener('abort', stop, { once: true })
    if (this.#stopping.aborted) stop()
    if (row.cancel_requested_at !== null) this.#interrupt('cancelled')
    const heartbeat = setInterval(() => void this.#sendHeartbeat(), heartbeatMs)
    try {
      // Even the attempt to end what it runs has killed a worker.
      if (row.failed_executions > maxWorkerDeaths)
        return await this.#lease.finish({ state: 'failed', error: givenUp(row) }, this.#webId)
      const log = await retryTransient(this.#stopping, () =>
        openLogWriter(this.#context, row.id, this.#stopping),
      )
      const node = await retryTransient(this.#stopping, () => this.#node())
      this.#secrets = [...this.#secrets, ...panelSecrets(this.#tools.secretBox, node)]
      this.#mask = createMask(this.#secrets)
      const wanted = await this.#runSteps(log, node)
      await log.flush()
      if (wanted.state === 'running') {
        await this.#lease.handOver()
        return wanted
      }
      const end = await this.#lease.finish(wanted, this.#webId)
      if (end.state !== 'waiting' && !this.#mayStillRun) await this.#forgetRuns(node, end)
      return end
    } catch (error) {
      return await this.#endAfterError(error)
    } finally {
      clearInterval(heartbeat)
      this.#stopping.removeEventListener('abort', stop)
    }
  }

  async #endAfterError(error: unknown): Promise<End | 'lost'> {
    try {
      if (this.#interruption === 'lost') return 'lost'
      // Nothing can be stored now; the sweeper repeats the deployment once its lease has expired.
      if (error instanceof LeaseLostError || isUnavailable(error)) throw error
      this.#tools.onError(toError(error))
      const reason = unexpectedFailure(this.#context.requestId, jobIdOf(this.#claimed.row.id))
      return await this.#lease.finish(await this.#lease.countFailure(reason), this.#webId)
    } catch (thrown) {
      if (thrown instanceof LeaseLostError) return 'lost'
      throw thrown
    }
  }

  /** Once the lease is lost, the command is the new holder's. */
  #interrupt(why: Interruption): void {
    this.#interruption ??= why
    if (this.#interruption === 'cancelled') this.#cancelling.abort()
    else this.#detaching.abort()
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
    for (const stored of steps) {
      const { step: index, name, name_code, state } = stored
      if (state === 'succeeded' || state === 'skipped') continue
      const named = name_code === null ? name : { code: name_code }
      // The previous execution died before it could finish the deployment.
      if (state === 'failed') return { state, error: failureOf(named, readStoredError(stored)) }
      if (state === 'cancelled') return { state }
      const step = recipe[index]
      const attributes = { 'kustos.deployment': row.id, 'kustos.step': index }
      const found = await withSpan(`step ${name}`, { kind: 'internal', attributes }, async (span) => {
        const failure =
          row.failed_executions >= maxWorkerDeaths
            ? await this.#endRuns(stored, node, givenUp(row))
            : step?.name === name
              ? await this.#attempt(step, stored, node, log)
              : await this.#endRuns(stored, node, message('recipe_changed', { kind: row.kind }))
        if (failure !== null) span?.fail(failure.code)
        return failure
      })
      // It may repeat what a program or another system has printed.
      const error = found && this.#mask.message(found)
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
    switch (this.#hasCommandEnded && this.#interruption === 'stopped' ? undefined : this.#interruption) {
      case 'lost':
        throw new LeaseLostError(`deployment ${this.#claimed.row.id}`)
      case 'stopped':
        if (this.#mayStillRun) {
          log.write(
            index,
            'note',
            'Kustos is shutting down. The command keeps running; its output will follow.',
          )
          return { state: 'running' }
        }
        log.write(index, 'note', 'Kustos is shutting down. This step will restart afterwards.')
        await this.#lease.mark(index, 'pending')
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
    stored: Claim['steps'][number],
    node: StepWork['node'],
    log: LogWriter,
  ): Promise<Message | null> {
    this.#hasCommandEnded = false
    const index = stored.step
    const wasRunning = stored.state === 'running'
    const work = this.#work(node, (text) => log.write(index, 'note', this.#mask.text(text)))
    try {
      // The commands of a dead execution are recovered even if this one is to be cancelled.
      if (step.place !== 'builtin') {
        const resumed = wasRunning ? await this.#resume(work, step, stored, log) : undefined
        if (resumed !== undefined) return resumed
        if (await this.#hasSucceeded(index, node)) {
          work.note('This step had already completed.')
          return null
        }
      }
      if (this.#ending.aborted) return message('step_interrupted')
      if (wasRunning) work.note('The worker running this step stopped unexpectedly. The step restarts.')
      await retryTransient(this.#stopping, () => checkTarget(work))
      await log.flush()
      await this.#lease.start(index, step.place === 'builtin' ? null : log.last())
      if (step.place !== 'builtin') return await this.#command(work, step, index, log)
      await retryTransient(this.#stopping, () => builtins[step.do](work, step))
      await retryTransient(this.#stopping, () => this.#readWeb())
      return null
    } catch (error) {
      if (error instanceof LeaseLostError) throw error
      const known = knownFailureMessage(error)
      if (known !== null) return known
      if (isUnavailable(error)) throw error
      if (this.#ending.aborted) return message('step_interrupted')
      this.#tools.onError(toError(error))
      return unexpectedFailure(this.#context.requestId, jobIdOf(this.#claimed.row.id))
    }
  }

  /** Ends the runs of a step under earlier claims. @returns whether one of them had succeeded */
  async #hasSucceeded(index: number, node: StepWork['node']): Promise<boolean> {
    const runner = selectRunner(node, this.#tools.runners)
    try {
      return await recoverRuns(runner, this.#claimed.row, index)
    } catch (error) {
      this.#mayStillRun = true
      throw error
    }
  }

  /** Ends what runs of a step that cannot go on. @returns the reason */
  async #endRuns(
    { step, place }: Claim['steps'][number],
    node: StepWork['node'],
    reason: Message,
  ): Promise<Message> {
    if (place !== 'builtin')
      await this.#hasSucceeded(step, node).catch((error: unknown) => {
        if (knownFailureMessage(error) === null) throw error
      })
    return reason
  }

  async #command(work: StepWork, step: CommandStep, index: number, log: LogWriter): Promise<Message | null> {
    const runId = createRunId(this.#claimed.row, index)
    const options = this.#commandOptions(index, log)
    const command = await openCommand(work, step, { ...options, runId, written: { out: 0, err: 0 } })
    command.announce()
    const followed = await this.#follow(work, command, command.start)
    return followed.state === 'absent' ? (followed.reason ?? message('step_interrupted')) : followed.failure
  }

  /**
   * Follows the command of an execution that has died or handed its deployment over.
   * @returns why the command failed, null if it succeeded; undefined if it was not started, or has vanished
   */
  async #resume(
    work: StepWork,
    step: CommandStep,
    stored: Claim['steps'][number],
    log: LogWriter,
  ): Promise<Message | null | undefined> {
    const { step: index, run_epoch: epoch, output_after: after } = stored
    // Started by a release that did not keep its output.
    if (epoch === null || after === null) return undefined
    this.#mayStillRun = true
    const { id } = this.#claimed.row
    const written = await retryTransient(this.#stopping, () => countLines(this.#context, id, index, after))
    const options = this.#commandOptions(index, log)
    const command = await openCommand(work, step, {
      ...options,
      runId: createRunId({ id, epoch }, index),
      written,
    })
    if (written.note === 0) command.announce()
    const followed = await this.#follow(work, command, command.attach)
    return followed.state === 'absent' ? undefined : followed.failure
  }

  #commandOptions(index: number, log: LogWriter) {
    return {
      cancel: this.#cancelling.signal,
      detach: this.#detaching.signal,
      write: (...line: Parameters<CommandOptions['write']>) => log.write(index, ...line),
    }
  }

  async #follow(work: StepWork, command: StepCommand, connect: StepCommand['attach']) {
    const followed = await followCommand(command, connect, {
      detach: this.#detaching.signal,
      onBroken: async (reason, isFirst) => {
        await this.#sendHeartbeat()
        if (isFirst) work.note(englishText(reason))
      },
    })
    this.#mayStillRun = followed.state === 'left'
    if (followed.state === 'absent') return followed
    if (followed.state === 'left') return { ...followed, failure: followed.reason }
    this.#hasCommandEnded = followed.outcome.kind !== 'cancelled'
    return { ...followed, failure: command.describeFailure(followed.outcome) }
  }

  #work(node: StepWork['node'], note: StepWork['note']): StepWork {
    const { row } = this.#claimed
    const [context, tools, webId] = [this.#context, this.#tools, this.#webId]
    return { context, tools, row, node, webId, signal: this.#ending, secrets: this.#secrets, note }
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
      if (node !== null) await forgetRuns(this.#tools.runners.node(node), row, end)
    } catch (error) {
      this.#tools.onError(toError(error))
    }
  }
}

const givenUp = ({ failed_executions: attempts }: Claim['row']): Message =>
  message('workers_died', { attempts })

const failureOf = (step: string | Message, reason: Message): Message =>
  message('step_failed', { step, reason })
