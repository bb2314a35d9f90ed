import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { isUnavailable } from '@kustos/database/client'
import { deployments } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { unexpectedFailure } from '../platform/jobs.ts'
import { LeaseLostError } from '../platform/lease.ts'
import type { Mask } from '../platform/masking/index.ts'
import { retryTransient } from '../platform/retry.ts'
import { builtins, checkTarget, type StepWork } from './builtins.ts'
import type { Claim } from './claim.ts'
import { type CommandOptions, openCommand, type StepCommand, selectRunner } from './command.ts'
import { knownFailureMessage } from './failure.ts'
import { followCommand } from './follow-command.ts'
import type { Interruption } from './interruption.ts'
import { jobIdOf } from './jobs.ts'
import type { Lease } from './lease.ts'
import { checkLeftRuns } from './left-runs.ts'
import { countLines, type LogWriter } from './log-writer.ts'
import type { CommandStep, RecipeStep } from './recipes.ts'
import { createRunId, recoverRuns } from './runs.ts'
import type { ExecutionTools } from './tools.ts'

interface Options {
  readonly tools: ExecutionTools
  readonly claimed: Claim
  readonly lease: Lease
  readonly log: LogWriter
  readonly node: StepWork['node']
  readonly interruption: Interruption
  /** Aborted when the process ends. */
  readonly stopping: AbortSignal
  readonly secrets: readonly string[]
  readonly mask: Mask
  readonly heartbeat: () => Promise<void>
}

/** Runs single steps of a deployment. */
export class StepRunner {
  readonly #context: Context
  readonly #tools: ExecutionTools
  readonly #claimed: Claim
  readonly #lease: Lease
  readonly #log: LogWriter
  readonly #node: StepWork['node']
  readonly #interruption: Interruption
  readonly #stopping: AbortSignal
  readonly #secrets: readonly string[]
  readonly #mask: Mask
  readonly #heartbeat: () => Promise<void>
  #webId: number | null
  #mayStillRun = false
  #hasCommandEnded = false

  constructor(options: Options) {
    this.#context = options.lease.context
    this.#tools = options.tools
    this.#claimed = options.claimed
    this.#lease = options.lease
    this.#log = options.log
    this.#node = options.node
    this.#interruption = options.interruption
    this.#stopping = options.stopping
    this.#secrets = options.secrets
    this.#mask = options.mask
    this.#heartbeat = options.heartbeat
    this.#webId = options.claimed.row.web_id
  }

  /** Of the deployment. A step may have created it. */
  get webId(): number | null {
    return this.#webId
  }

  /** Whether a command may still run. Its records on the machine are then kept, since only they can find it. */
  get mayStillRun(): boolean {
    return this.#mayStillRun
  }

  /** Whether the command of the last step has ended by itself, so that the step is not repeated. */
  get hasCommandEnded(): boolean {
    return this.#hasCommandEnded
  }

  /**
   * @param refusal why only a command that runs already is followed to its end; null if the step may start
   * @returns why the step failed; null if it succeeded
   */
  async attempt(
    step: RecipeStep,
    stored: Claim['steps'][number],
    refusal: Message | null = null,
  ): Promise<Message | null> {
    this.#hasCommandEnded = false
    const index = stored.step
    const wasRunning = stored.state === 'running'
    const work = this.#work((text) => this.#log.write(index, 'note', this.#mask.text(text)))
    try {
      // The commands of a dead execution are recovered even if this one is to be cancelled.
      if (step.place !== 'builtin') {
        const resumed = wasRunning ? await this.#resume(work, step, stored) : undefined
        if (resumed !== undefined) return resumed
        if (await this.#hasSucceeded(index)) {
          work.note('This step had already completed.')
          return null
        }
      }
      if (refusal !== null) return refusal
      if (this.#interruption.ending.aborted) return message('step_interrupted')
      if (wasRunning) work.note('The worker running this step stopped unexpectedly. The step restarts.')
      await retryTransient(this.#stopping, () => checkTarget(work))
      if (step.place !== 'builtin') await retryTransient(this.#stopping, () => checkLeftRuns(work))
      await this.#log.flush()
      await this.#lease.start(index, step.place === 'builtin' ? null : this.#log.last())
      if (step.place !== 'builtin') return await this.#command(work, step, index)
      await retryTransient(this.#stopping, () => builtins[step.do](work, step))
      await retryTransient(this.#stopping, () => this.#readWeb())
      return null
    } catch (error) {
      if (error instanceof LeaseLostError) throw error
      const known = knownFailureMessage(error)
      if (known !== null) return known
      if (isUnavailable(error)) throw error
      if (this.#interruption.ending.aborted) return message('step_interrupted')
      this.#tools.onError(toError(error))
      return unexpectedFailure(this.#context.requestId, jobIdOf(this.#claimed.row.id))
    }
  }

  /** Ends the runs of a step under earlier claims. @returns whether one of them had succeeded */
  async #hasSucceeded(index: number): Promise<boolean> {
    try {
      const runner = selectRunner(this.#node, this.#tools.runners)
      return await recoverRuns(runner, this.#claimed.row, index)
    } catch (error) {
      this.#mayStillRun = true
      throw error
    }
  }

  /** Ends whatever still runs of a step that cannot go on. @returns the reason */
  async endRuns({ step, place }: Claim['steps'][number], reason: Message): Promise<Message> {
    if (place !== 'builtin')
      await this.#hasSucceeded(step).catch((error: unknown) => {
        if (knownFailureMessage(error) === null) throw error
      })
    return reason
  }

  async #command(work: StepWork, step: CommandStep, index: number): Promise<Message | null> {
    const runId = createRunId(this.#claimed.row, index)
    const options = this.#commandOptions(index)
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
  ): Promise<Message | null | undefined> {
    const { step: index, run_epoch: epoch, output_after: after } = stored
    // Started by a release that did not keep its output.
    if (epoch === null || after === null) return undefined
    this.#mayStillRun = true
    const { id } = this.#claimed.row
    const written = await retryTransient(this.#stopping, () => countLines(this.#context, id, index, after))
    const options = this.#commandOptions(index)
    const command = await openCommand(work, step, {
      ...options,
      runId: createRunId({ id, epoch }, index),
      written,
    })
    if (written.note === 0) command.announce()
    const followed = await this.#follow(work, command, command.attach)
    return followed.state === 'absent' ? undefined : followed.failure
  }

  #commandOptions(index: number) {
    return {
      cancel: this.#interruption.cancel,
      detach: this.#interruption.detach,
      write: (...line: Parameters<CommandOptions['write']>) => this.#log.write(index, ...line),
    }
  }

  async #follow(work: StepWork, command: StepCommand, connect: StepCommand['attach']) {
    // It may, unless its end is seen: an error may interrupt this.
    this.#mayStillRun = true
    const followed = await followCommand(command, connect, {
      detach: this.#interruption.detach,
      onBroken: async (reason, isFirst) => {
        await this.#heartbeat()
        if (isFirst) work.note(englishText(reason))
      },
    })
    this.#mayStillRun = followed.state === 'left'
    if (followed.state === 'absent') return followed
    if (followed.state === 'left') return { ...followed, failure: followed.reason }
    this.#hasCommandEnded = followed.outcome.kind !== 'cancelled'
    return { ...followed, failure: command.describeFailure(followed.outcome) }
  }

  #work(note: StepWork['note']): StepWork {
    const { row } = this.#claimed
    const [context, tools, node, webId] = [this.#context, this.#tools, this.#node, this.#webId]
    return {
      context,
      tools,
      row,
      node,
      webId,
      signal: this.#interruption.ending,
      secrets: this.#secrets,
      note,
    }
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
}
