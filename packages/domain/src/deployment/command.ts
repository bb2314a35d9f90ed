import type { Outcome, Runner, Runners } from '@kustos/clients/runner'
import { asciiFqdn } from '@kustos/contract/webs'
import { webs } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { lasting } from '../lasting.ts'
import { cloneUrlOf, type StepWork } from './builtins.ts'
import { StepFailure } from './failure.ts'
import type { LogWriter } from './log-writer.ts'
import { type CommandStep, fillArgv, type RecipeValues } from './recipes.ts'
import { systemUser } from './system-user.ts'

/** The machine that a command step runs on. @throws StepFailure, and what the runners throw */
export function runnerOf(step: CommandStep, node: StepWork['node'], runners: Runners): Runner {
  if (step.place === 'controller') return runners.controller
  if (node === null) throw new StepFailure('The web is on no node.')
  return runners.node(node)
}

/**
 * Runs a step's command, its lines going into the log.
 * @param run names it on its machine
 * @returns what went wrong, in a sentence; null where it ended well
 */
export async function runCommand(
  work: StepWork,
  step: CommandStep,
  run: string,
  write: (source: Parameters<LogWriter['write']>[1], text: string) => void,
): Promise<string | null> {
  const argv = fillArgv(step.argv, await lasting(work.signal, () => valuesOf(work)))
  write('note', `$ ${argv.map(readable).join(' ')}`)
  let lastComplaint = ''
  const outcome = await runnerOf(step, work.node, work.tools.runners).run(
    { argv, run, timeout: step.timeout * 1000 },
    {
      signal: work.signal,
      onLine(source, text) {
        if (source === 'err' && text.trim() !== '') lastComplaint = text.trim()
        write(source, text)
      },
    },
  )
  return complaintOf(outcome, step.timeout, lastComplaint)
}

async function valuesOf({ context, row, node, webId }: StepWork): Promise<RecipeValues> {
  const [web] = webId === null ? [] : await context.db.select().from(webs).where(eq(webs.id, webId))
  const repository = web?.repository ?? row.repository
  const sysuser = web?.sysuser ?? (row.request === null ? null : systemUser(row.request.bnName))
  const cloneUrl = await cloneUrlOf(context, repository)
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

/** As it could be typed; nobody runs this text. */
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
