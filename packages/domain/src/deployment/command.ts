import type { Outcome, Runner, Runners } from '@kustos/clients/runner'
import { type Message, message } from '@kustos/contract/messages'
import { asciiFqdn } from '@kustos/contract/webs'
import { webs } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { retryTransient } from '../platform/retry.ts'
import { findCloneUrl, type StepWork } from './builtins.ts'
import { StepFailure } from './failure.ts'
import type { LogWriter } from './log-writer.ts'
import { type CommandStep, fillArgv, type RecipeValues } from './recipes.ts'
import { systemUser } from './system-user.ts'

/** The machine that a command step runs on. @throws StepFailure, and the errors of the runners */
export function selectRunner(step: CommandStep, node: StepWork['node'], runners: Runners): Runner {
  if (step.place === 'controller') return runners.controller
  if (node === null) throw new StepFailure(message('web_without_node'))
  return runners.node(node)
}

/**
 * Runs the command of a step and logs its output.
 * @param runId unique on the machine
 * @returns why it failed; null if it succeeded
 */
export async function runCommand(
  work: StepWork,
  step: CommandStep,
  runId: string,
  write: (source: Parameters<LogWriter['write']>[1], text: string) => void,
): Promise<Message | null> {
  const argv = fillArgv(step.argv, await retryTransient(work.signal, () => readRecipeValues(work)))
  write('note', `$ ${argv.map(quoteForDisplay).join(' ')}`)
  let lastStderrLine = ''
  const outcome = await selectRunner(step, work.node, work.tools.runners).run(
    { argv, runId, timeoutMs: step.timeout * 1000 },
    {
      signal: work.signal,
      onLine(source, text) {
        if (source === 'err' && text.trim() !== '') lastStderrLine = text.trim()
        write(source, text)
      },
    },
  )
  return describeFailure(outcome, step.timeout, lastStderrLine)
}

async function readRecipeValues({ context, row, node, webId }: StepWork): Promise<RecipeValues> {
  const [web] = webId === null ? [] : await context.db.select().from(webs).where(eq(webs.id, webId))
  const repository = web?.repository ?? row.repository
  const sysuser = web?.sysuser ?? (row.request === null ? null : systemUser(row.request.bnName))
  const cloneUrl = await findCloneUrl(context, repository)
  const customer = web?.customer ?? row.request?.customer
  return {
    deployment: String(row.id),
    fqdn: asciiFqdn(row.fqdn) ?? row.fqdn,
    ...(customer !== undefined && { customer }),
    ...(webId !== null && { web: String(webId) }),
    ...(repository !== null && { repository }),
    ...(cloneUrl !== undefined && { clone_url: cloneUrl }),
    ...(row.request !== null && { source: row.request.sourceRepo }),
    ...(sysuser !== null && { sysuser }),
    ...(node !== null && { node: node.plesk_fqdn }),
  }
}

/** Quotes an argument for the log. The result is never executed. */
const quoteForDisplay = (argument: string) =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`

function describeFailure(outcome: Outcome, timeoutSeconds: number, lastStderrLine: string): Message | null {
  switch (outcome.kind) {
    case 'exited':
      if (outcome.code === 0) return null
      return lastStderrLine === ''
        ? message('command_exited', { exitCode: outcome.code })
        : message('command_complained', { complaint: lastStderrLine, exitCode: outcome.code })
    case 'killed':
      return message('command_killed', { signal: outcome.signal })
    case 'timed-out':
      return message('command_timed_out', { seconds: timeoutSeconds })
    case 'cancelled':
      return message('command_cancelled')
  }
}
