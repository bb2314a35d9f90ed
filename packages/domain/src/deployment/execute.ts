import { randomUUID } from 'node:crypto'
import type { JobOutcome } from '@kustos/clients/queue'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { isUnavailable } from '@kustos/database/client'
import { nodes } from '@kustos/database/tables'
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
import type { StepWork } from './builtins.ts'
import { type Claim, claimDeployment, isWaiting, promoteNext } from './claim.ts'
import { Interruption } from './interruption.ts'
import { jobIdOf } from './jobs.ts'
import { createLease, type End, type Lease, maxWorkerDeaths } from './lease.ts'
import { type LogWriter, openLogWriter } from './log-writer.ts'
import { forgetRuns } from './runs.ts'
import { StepRunner } from './step-runner.ts'
import type { ExecutionTools } from './tools.ts'

/** A deployment that has to wait checks this often by itself. One that ends promotes the next. */
const retryDelayMs = 5_000

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
  readonly #interruption: Interruption
  #runner: StepRunner | undefined

  constructor(tools: ExecutionTools, claimed: Claim, lease: Lease, stopping: AbortSignal) {
    this.#context = lease.context
    this.#tools = tools
    this.#claimed = claimed
    this.#lease = lease
    this.#stopping = stopping
    this.#interruption = new Interruption(stopping)
  }

  async run(): Promise<End | 'lost'> {
    const { row } = this.#claimed
    const stop = () => this.#interruption.interrupt('stopped')
    this.#stopping.addEventListener('abort', stop, { once: true })
    if (this.#stopping.aborted) stop()
    if (row.cancel_requested_at !== null) this.#interruption.interrupt('cancelled')
    const heartbeat = setInterval(() => void this.#sendHeartbeat(), heartbeatMs)
    try {
      // Even the attempt to end what it runs has killed a worker.
      if (row.failed_executions > maxWorkerDeaths)
        return await this.#lease.finish({ state: 'failed', error: givenUp(row) }, row.web_id)
      const log = await retryTransient(this.#stopping, () =>
        openLogWriter(this.#context, row.id, this.#stopping),
      )
      const node = await retryTransient(this.#stopping, () => this.#node())
      const secrets = [...this.#secrets(), ...panelSecrets(this.#tools.secretBox, node)]
      const mask = createMask(secrets)
      const runner = new StepRunner({
        tools: this.#tools,
        claimed: this.#claimed,
        lease: this.#lease,
        log,
        node,
        interruption: this.#interruption,
        stopping: this.#stopping,
        secrets,
        mask,
        heartbeat: () => this.#sendHeartbeat(),
      })
      this.#runner = runner
      const wanted = await this.#runSteps(runner, mask, log)
      await log.flush()
      if (wanted.state === 'running') {
        await this.#lease.release()
        return wanted
      }
      const end = await this.#lease.finish(wanted, runner.webId)
      if (end.state !== 'waiting' && !runner.mayStillRun) await this.#forgetRuns(node, end)
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
      if (this.#interruption.reason === 'lost') return 'lost'
      // Nothing can be stored now; the sweeper repeats the deployment once its lease has expired.
      if (error instanceof LeaseLostError || isUnavailable(error)) throw error
      this.#tools.onError(toError(error))
      const reason = unexpectedFailure(this.#context.requestId, jobIdOf(this.#claimed.row.id))
      const webId = this.#runner?.webId ?? this.#claimed.row.web_id
      return await this.#lease.finish(await this.#lease.countFailure(reason), webId)
    } catch (thrown) {
      if (thrown instanceof LeaseLostError) return 'lost'
      throw thrown
    }
  }

  /** A failed heartbeat is not a reason to stop: while the database is down nobody can take the lease over. */
  async #sendHeartbeat(): Promise<void> {
    try {
      const renewal = await this.#lease.renew()
      if (renewal === 'cancel') this.#interruption.interrupt('cancelled')
      if (renewal === 'lost') this.#interruption.interrupt('lost')
    } catch (error) {
      this.#tools.onError(toError(error))
    }
  }

  async #runSteps(runner: StepRunner, mask: Mask, log: LogWriter): Promise<End> {
    const { row, steps } = this.#claimed
    const recipe = this.#tools.recipes[row.kind] ?? []
    for (const stored of steps) {
      const { step: index, name, name_code, state } = stored
      if (state === 'succeeded' || state === 'skipped') continue
      const named = name_code === null ? name : { code: name_code }
      // The previous execution died before it could finish the deployment.
      if (state === 'failed') return { state, error: failureOf(named, readStoredError(stored)) }
      if (state === 'cancelled') return { state }
      const step = recipe[index]?.name === name ? recipe[index] : undefined
      // A command that runs is not ended by an upgrade that has moved its step.
      const moved = state === 'running' ? recipe.find((other) => other.name === name) : undefined
      const changed = message('recipe_changed', { kind: row.kind })
      const attributes = { 'kustos.deployment': row.id, 'kustos.step': index }
      const found = await withSpan(`step ${name}`, { kind: 'internal', attributes }, async (span) => {
        const failure =
          row.failed_executions >= maxWorkerDeaths
            ? await runner.endRuns(stored, givenUp(row))
            : step !== undefined
              ? await runner.attempt(step, stored)
              : moved !== undefined
                ? await runner.attempt(moved, stored, changed)
                : await runner.endRuns(stored, changed)
        if (failure !== null) span?.fail(failure.code)
        return failure
      })
      // It may repeat what a program or another system has printed.
      const error = found && mask.message(found)
      if (error === null) {
        await this.#lease.mark(index, 'succeeded')
        continue
      }
      return this.#endAfterFailure(runner, index, named, error, log)
    }
    return { state: 'succeeded' }
  }

  async #endAfterFailure(
    runner: StepRunner,
    index: number,
    step: string | Message,
    error: Message,
    log: LogWriter,
  ): Promise<End> {
    const { reason } = this.#interruption
    switch (runner.hasCommandEnded && reason === 'stopped' ? undefined : reason) {
      case 'lost':
        throw new LeaseLostError(`deployment ${this.#claimed.row.id}`)
      case 'stopped':
        if (runner.mayStillRun) {
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
        if (runner.mayStillRun) log.write(index, 'note', englishText(error))
        log.write(index, 'note', 'Cancelled.')
        await this.#lease.mark(index, 'cancelled', null, runner.mayStillRun)
        return { state: 'cancelled' }
      case undefined:
        log.write(index, 'note', englishText(error))
        await this.#lease.mark(index, 'failed', error, runner.mayStillRun)
        return { state: 'failed', error: failureOf(step, error) }
    }
  }

  /** What the recipe and the configuration hide. */
  #secrets(): readonly string[] {
    const recipe = this.#tools.recipes[this.#claimed.row.kind] ?? []
    return [
      ...this.#tools.secrets,
      ...recipe.flatMap((step) => (step.place === 'builtin' ? [] : secretsIn(step.argv))),
    ]
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
