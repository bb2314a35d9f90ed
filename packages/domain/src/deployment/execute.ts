import { randomUUID } from 'node:crypto'
import type { Run } from '@kustos/clients/queue'
import { deployments, nodes } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { builtins, type StepWork } from './builtins.ts'
import { type Claim, claim, holdOn } from './claim.ts'
import { runCommand, runnerOf } from './command.ts'
import { Lost, sentenceOf } from './failure.ts'
import { type End, type Hold, hold } from './hold.ts'
import { jobIdOf, runDeployment } from './jobs.ts'
import { type LogWriter, openLog } from './log-writer.ts'
import type { RecipeStep } from './recipes.ts'
import type { ExecutionTools } from './tools.ts'

/** In milliseconds. */
const heartbeat = 1_000
/** When one that could not begin looks again by itself; those that end hurry the next. In milliseconds. */
const lookAgain = 5_000

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
      const log = await openLog(this.#context, row.id, this.#stopping)
      const node = await this.#node()
      const end = await this.#carryOut(log, node)
      await log.flush()
      if (end.state !== 'waiting') await this.#forgetRuns(node)
      await this.#hold.settle(end, this.#webId)
      return end
    } catch (error) {
      if (error instanceof Lost || this.#interruption === 'lost') return 'lost'
      throw error
    } finally {
      clearInterval(beats)
      this.#stopping.removeEventListener('abort', stop)
    }
  }

  #interrupt(why: Interruption): void {
    this.#interruption ??= why
    this.#ending.abort()
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
    for (const { step: index, name, state } of steps) {
      if (state === 'succeeded' || state === 'skipped') continue
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
        await this.#hold.mark(index, 'pending')
        return { state: 'waiting' }
      case 'cancelled':
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
    const run = this.#runName(index)
    try {
      // What a dead execution left behind is cleared up even where this one is to be cancelled.
      if (wasRunning && step.place !== 'builtin') {
        const runner = runnerOf(step, node, this.#tools.runners)
        if ((await runner.recover(run)) === 'succeeded') {
          work.note('This step had come to its end before its worker died.')
          return null
        }
      }
      if (this.#ending.signal.aborted) return 'interrupted'
      if (wasRunning) work.note('The worker of this step died: it begins again.')
      await this.#hold.mark(index, 'running')
      if (step.place !== 'builtin')
        return await runCommand(work, step, run, (source, text) => log.write(index, source, text))
      await builtins[step.do](work)
      await this.#readWeb()
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

  #work(node: StepWork['node'], note: StepWork['note']): StepWork {
    const { row } = this.#claimed
    const [context, tools, webId] = [this.#context, this.#tools, this.#webId]
    return { context, tools, row, node, webId, signal: this.#ending.signal, note }
  }

  #runName(index: number): string {
    const { id, attempts } = this.#claimed.row
    return `d${id}-${index}-${attempts}`
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

  /** What the machines keep of the commands has served: the rows say how they ended. */
  async #forgetRuns(node: StepWork['node']): Promise<void> {
    const { row } = this.#claimed
    const places = new Set(this.#tools.recipes[row.kind].map((step) => step.place))
    try {
      if (node !== null) await this.#tools.runners.node(node).forget(`d${row.id}-`)
      if (places.has('controller')) await this.#tools.runners.controller.forget(`d${row.id}-`)
    } catch (error) {
      this.#tools.onError(asError(error))
    }
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

async function isWaiting({ db }: Context, id: number): Promise<boolean> {
  const [row] = await db.select({ state: deployments.state }).from(deployments).where(eq(deployments.id, id))
  return row?.state === 'waiting'
}

/** Lets those begin that waited for this one's web or node. */
async function hurryNext({ db }: Context, tools: ExecutionTools, row: Claim['row']): Promise<void> {
  try {
    const next = await db
      .select({ id: deployments.id })
      .from(deployments)
      .where(
        and(
          eq(deployments.state, 'waiting'),
          row.node_id === null ? eq(deployments.fqdn, row.fqdn) : eq(deployments.node_id, row.node_id),
        ),
      )
      .orderBy(deployments.id)
      .limit(tools.nodeConcurrency + 1)
    for (const { id } of next) await tools.queues.hurry(runDeployment.queue, jobIdOf(id))
  } catch (error) {
    // They look again by themselves.
    tools.onError(asError(error))
  }
}
