import { randomUUID } from 'node:crypto'
import type { Run } from '@kustos/clients/queue'
import type { Outcome } from '@kustos/clients/runner'
import { asciiFqdn } from '@kustos/contract/webs'
import { deploymentSteps, deployments, nodes, webs } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { builtins, cloneUrlOf, type StepWork, systemUser } from './builtins.ts'
import { type Claim, claim, holdOn } from './claim.ts'
import { Lost, StepFailure, sentenceOf } from './failure.ts'
import { jobIdOf, runDeployment } from './jobs.ts'
import { lasting } from './lasting.ts'
import { type LogWriter, openLog } from './log-writer.ts'
import { fillArgv, type RecipeStep, type RecipeValues } from './recipes.ts'
import type { ExecutionTools } from './tools.ts'

/** In milliseconds. */
const heartbeat = 1_000
/** When one that could not begin looks again by itself; those that end hurry the next. In milliseconds. */
const lookAgain = 5_000

/** Why an execution comes to its end before the last step. */
type Interruption = 'cancelled' | 'stopped' | 'lost'

/** How an execution ends. */
type End =
  | { readonly state: 'succeeded' }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'waiting' }

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
  const execution = new Execution(context, tools, claimed, holder, stopping)
  const end = await execution.run()
  if (end === 'lost') return { again: lookAgain }
  await hurryNext(context, tools, claimed.row)
  if (end.state === 'waiting') return { again: 0 }
  if (end.state === 'succeeded') return 'over'
  return { failed: end.state === 'failed' ? end.error : 'Cancelled.' }
}

class Execution {
  readonly #context: Context
  readonly #tools: ExecutionTools
  readonly #claimed: Claim
  readonly #holder: string
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
      const end = await this.#carryOut(log)
      await log.flush()
      await this.#settle(end)
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
      this.#tools.onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #carryOut(log: LogWriter): Promise<End> {
    const { row, steps } = this.#claimed
    const recipe = this.#tools.recipes[row.kind]
    const node = await this.#node()
    for (const { step: index, name, state } of steps) {
      if (state === 'succeeded' || state === 'skipped') continue
      const step = recipe[index]
      if (step?.name !== name) {
        const error = `The recipe of ${row.kind} has changed since this deployment was asked for: ask anew.`
        await this.#mark(index, 'failed', error)
        return { state: 'failed', error }
      }
      const error = await this.#attempt(step, index, state === 'running', node, log)
      if (error === null) {
        await this.#mark(index, 'succeeded')
        continue
      }
      if (this.#interruption === 'lost') throw new Lost()
      if (this.#interruption === 'stopped') {
        log.write(index, 'note', 'Kustos is being stopped: this step begins again when it is back.')
        await this.#mark(index, 'pending')
        return { state: 'waiting' }
      }
      if (this.#interruption === 'cancelled') {
        log.write(index, 'note', 'Cancelled.')
        await this.#mark(index, 'cancelled')
        return { state: 'cancelled' }
      }
      log.write(index, 'note', error)
      await this.#mark(index, 'failed', error)
      return { state: 'failed', error: `${step.name}: ${error}` }
    }
    return { state: 'succeeded' }
  }

  /** @returns what went wrong, in a sentence; null where the step is done */
  async #attempt(
    step: RecipeStep,
    index: number,
    wasRunning: boolean,
    node: typeof nodes.$inferSelect | null,
    log: LogWriter,
  ): Promise<string | null> {
    const note = (text: string) => log.write(index, 'note', text)
    try {
      // What a dead execution left behind is cleared up even where this one is to be cancelled.
      if (wasRunning && (await this.#recover(step, index, node))) {
        note('This step had come to its end before its worker died.')
        return null
      }
      if (this.#ending.signal.aborted) return 'interrupted'
      if (wasRunning) note('The worker of this step died: it begins again.')
      await this.#mark(index, 'running')
      if (step.place === 'builtin') {
        await builtins[step.do](this.#work(node, note))
        return await this.#readWeb()
      }
      return await this.#command(step, index, node, log)
    } catch (error) {
      if (error instanceof Lost) throw error
      const sentence = sentenceOf(error)
      if (sentence !== null) return sentence
      if (this.#ending.signal.aborted) return 'interrupted'
      this.#tools.onError(error instanceof Error ? error : new Error(String(error)))
      return 'Kustos itself failed at this step; its log says why.'
    }
  }

  #work(node: StepWork['node'], note: StepWork['note']): StepWork {
    return {
      context: this.#context,
      tools: this.#tools,
      row: this.#claimed.row,
      node,
      webId: this.#webId,
      signal: this.#ending.signal,
      note,
    }
  }

  /** A step of ours may have created the web. */
  async #readWeb(): Promise<null> {
    if (this.#webId !== null) return null
    const [now] = await this.#context.db
      .select({ web_id: deployments.web_id })
      .from(deployments)
      .where(eq(deployments.id, this.#claimed.row.id))
    this.#webId = now?.web_id ?? null
    return null
  }

  #runner(step: RecipeStep, node: StepWork['node']) {
    if (step.place === 'controller') return this.#tools.runners.controller
    if (node === null) throw new StepFailure('The web is on no node.')
    return this.#tools.runners.node(node)
  }

  #runName = (index: number) => `d${this.#claimed.row.id}-${index}-${this.#claimed.row.attempts}`

  async #recover(step: RecipeStep, index: number, node: StepWork['node']): Promise<boolean> {
    if (step.place === 'builtin') return false
    return (await this.#runner(step, node).recover(this.#runName(index))) === 'succeeded'
  }

  async #command(
    step: Exclude<RecipeStep, { place: 'builtin' }>,
    index: number,
    node: StepWork['node'],
    log: LogWriter,
  ): Promise<string | null> {
    const argv = fillArgv(step.argv, await this.#values(node))
    log.write(index, 'note', `$ ${argv.map(readable).join(' ')}`)
    let lastComplaint = ''
    const outcome = await this.#runner(step, node).run(
      { argv, run: this.#runName(index), timeout: step.timeout * 1000 },
      {
        signal: this.#ending.signal,
        onLine(source, text) {
          if (source === 'err' && text.trim() !== '') lastComplaint = text.trim()
          log.write(index, source, text)
        },
      },
    )
    return complaintOf(outcome, step.timeout, lastComplaint)
  }

  async #values(node: StepWork['node']): Promise<RecipeValues> {
    const { row } = this.#claimed
    const [web] =
      this.#webId === null ? [] : await this.#context.db.select().from(webs).where(eq(webs.id, this.#webId))
    const repository = web?.repository ?? row.repository
    const sysuser = web?.sysuser ?? (row.request === null ? null : systemUser(row.request.bnName))
    const cloneUrl = await cloneUrlOf(this.#context, repository)
    const customer = web?.customer ?? row.request?.customer
    return {
      deployment: String(row.id),
      fqdn: asciiFqdn(row.fqdn) ?? row.fqdn,
      ...(customer !== undefined && { customer }),
      ...(this.#webId !== null && { web: String(this.#webId) }),
      ...(repository !== null && { repository }),
      ...(cloneUrl !== undefined && { clone_url: cloneUrl }),
      ...(row.request !== null && { source: row.request.sourceRepo }),
      ...(sysuser !== null && { sysuser }),
      ...(node !== null && { node: node.plesk_fqdn }),
    }
  }

  async #node(): Promise<typeof nodes.$inferSelect | null> {
    const { node_id } = this.#claimed.row
    if (node_id === null) return null
    const [node] = await this.#context.db.select().from(nodes).where(eq(nodes.id, node_id))
    return node ?? null
  }

  /** Writes a step's state, as long as the deployment is still ours. */
  #mark(
    index: number,
    state: 'running' | 'succeeded' | 'failed' | 'cancelled' | 'pending',
    error: string | null = null,
  ): Promise<void> {
    const { row } = this.#claimed
    return lasting(this.#stopping, () =>
      this.#context.db.transaction(async (db) => {
        const now = this.#context.now()
        const held = await db
          .update(deployments)
          .set({ updated_at: now })
          .where(
            and(
              eq(deployments.id, row.id),
              eq(deployments.holder, this.#holder),
              eq(deployments.state, 'running'),
            ),
          )
          .returning({ id: deployments.id })
        if (held.length === 0) throw new Lost()
        const times = {
          running: { started_at: now, ended_at: null },
          pending: { started_at: null, ended_at: null },
          succeeded: { ended_at: now },
          failed: { ended_at: now },
          cancelled: { ended_at: now },
        }[state]
        await db
          .update(deploymentSteps)
          .set({ state, error, ...times })
          .where(and(eq(deploymentSteps.deployment_id, row.id), eq(deploymentSteps.step, index)))
      }),
    )
  }

  /** Ends the row, with its log entry; or hands it back. */
  #settle(end: End): Promise<void> {
    const { row } = this.#claimed
    return lasting(this.#stopping, () =>
      change(this.#context, async (inside) => {
        const now = inside.now()
        const held = await inside.db
          .update(deployments)
          .set({
            state: end.state,
            error: end.state === 'failed' ? end.error : null,
            ended_at: end.state === 'waiting' ? null : now,
            holder: null,
            held_until: null,
            updated_at: now,
          })
          .where(and(eq(deployments.id, row.id), eq(deployments.holder, this.#holder)))
          .returning({ id: deployments.id })
        if (held.length === 0) throw new Lost()
        if (end.state === 'waiting') return inside.unchanged()
        if (end.state === 'cancelled')
          await inside.db
            .update(deploymentSteps)
            .set({ state: 'cancelled' })
            .where(and(eq(deploymentSteps.deployment_id, row.id), eq(deploymentSteps.state, 'pending')))
        await inside.record({
          log: 'deployment',
          description: `${row.kind} ${end.state}`,
          subject:
            this.#webId === null ? { type: 'deployment', id: row.id } : { type: 'web', id: this.#webId },
          attributes: { deployment: row.id, ...(end.state === 'failed' && { error: end.error }) },
          ...(row.requested_by !== null && { causerId: row.requested_by }),
        })
      }),
    )
  }
}

const readable = (argument: string) =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`

function complaintOf(outcome: Outcome, timeout: number, lastComplaint: string): string | null {
  switch (outcome.how) {
    case 'exited':
      if (outcome.code === 0) return null
      return lastComplaint === ''
        ? `The command ended with exit code ${outcome.code}.`
        : `${lastComplaint} (exit code ${outcome.code})`
    case 'killed':
      return `The command was ended by ${outcome.signal}.`
    case 'timed-out':
      return `The command took longer than ${timeout} s and was ended.`
    case 'cancelled':
      return 'The command was cancelled.'
  }
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
    tools.onError(error instanceof Error ? error : new Error(String(error)))
  }
}
