import type { FollowOptions, Outcome, Runner, Runners } from '@kustos/clients/runner'
import { type Message, message } from '@kustos/contract/messages'
import { asciiFqdn } from '@kustos/contract/webs'
import { webs } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { createMask, maskArguments, secretsIn } from '../platform/masking/index.ts'
import { retryTransient } from '../platform/retry.ts'
import { findCloneUrl, type StepWork } from './builtins.ts'
import { StepFailure } from './failure.ts'
import type { LogWriter } from './log-writer.ts'
import { type CommandStep, fillArgv, type RecipeValues } from './recipes.ts'
import { systemUser } from './system-user.ts'

/** The machine that commands run on. @throws StepFailure, and the errors of the runners */
export function selectRunner(node: StepWork['node'], runners: Runners): Runner {
  if (node === null) throw new StepFailure(message('web_without_node'))
  return runners.node(node)
}

/** How many lines of a command's output are in the log. */
type WrittenLines = Record<'out' | 'err', number>

export interface CommandOptions {
  /** Unique on the machine. */
  readonly runId: string
  readonly written: Readonly<WrittenLines>
  /** Ends the command. */
  readonly cancel: AbortSignal
  /** Lets it run without being followed. */
  readonly detach: AbortSignal
  write(source: Parameters<LogWriter['write']>[1], text: string): void
}

export type StepCommand = Awaited<ReturnType<typeof openCommand>>

/** The command of a step. Its output is logged once, however often it is followed, and without secrets. */
export async function openCommand(work: StepWork, step: CommandStep, options: CommandOptions) {
  const { runId, cancel: signal, detach, write } = options
  const argv = fillArgv(step.argv, await retryTransient(work.signal, () => readRecipeValues(work)))
  // Values that are filled in may hold secrets too, such as the password of a repository's URL.
  const mask = createMask([...work.secrets, ...secretsIn(argv)])
  const runner = selectRunner(work.node, work.tools.runners)
  const command = { argv, runId, timeoutMs: step.timeout * 1000, umask: step.umask }
  const written = { ...options.written }
  let lastStderrLine = ''

  async function follow(connect: (onLine: FollowOptions['onLine']) => Promise<Outcome | null>) {
    // Read from its first line each time, since a secret may have begun in a line that is in the log already.
    const read = { out: 0, err: 0 }
    const openStream = (source: 'out' | 'err') =>
      mask.stream((text) => {
        if (source === 'err' && text.trim() !== '') lastStderrLine = text.trim()
        read[source] += 1
        if (read[source] <= written[source]) return
        written[source] += 1
        write(source, text)
      })
    const streams = { out: openStream('out'), err: openStream('err') }
    const outcome = await connect((source, text) => streams[source].write(text))
    if (outcome !== null && outcome.kind !== 'detached') {
      streams.out.end()
      streams.err.end()
    }
    return outcome
  }

  return {
    announce: () => write('note', mask.text(`$ ${maskArguments(argv).map(quoteForDisplay).join(' ')}`)),
    start: () =>
      follow((onLine) =>
        runner.run(command, {
          signal,
          detach,
          // A worker that froze after it had marked the step must not start what another one has taken over.
          beforeStart: () =>
            retryTransient(work.signal, () =>
              work.context.db.transaction(async (db) => work.context.assertLease?.(db)),
            ),
          onLine,
        }),
      ),
    /** @returns null if it was not started, or has vanished */
    attach: () => follow((onLine) => runner.attach(command, { signal, detach, onLine })),
    /** @returns why it failed; null if it succeeded */
    describeFailure: (outcome: Exclude<Outcome, { kind: 'detached' }>) =>
      describeFailure(outcome, step.timeout, lastStderrLine),
  }
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
  /^[\w@%+=:,./[\]-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`

function describeFailure(
  outcome: Exclude<Outcome, { kind: 'detached' }>,
  timeoutSeconds: number,
  lastStderrLine: string,
): Message | null {
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
