import { once } from 'node:events'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { ParseArgsOptionsConfig } from 'node:util'
import { commandLine } from '@kustos/contract/log-words'
import { issueText } from '@kustos/contract/messages/english'
import type { OpenDatabase } from '@kustos/database/client'
import { type Configuration, readConfiguration } from '@kustos/domain/platform/configuration'
import { type Context, createContext, type Origin } from '@kustos/domain/platform/context'

/** Ends a command with a message for the user. */
export class CommandError extends Error {}

export interface ParsedArgs {
  readonly positionals: readonly string[]
  /** The values of the options; one that may be repeated is a list. */
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>
}

/** A command of `pnpm kustos`. */
export interface Command {
  /** Such as user:create or import domains. */
  readonly name: string
  /** As the usage shows it, in lines of the width of a terminal. */
  readonly usage: string
  readonly options?: ParseArgsOptionsConfig
  /** The arguments after the name, in the form of the usage text; none by default. */
  readonly positionals?: readonly string[]
  /** @throws CommandError, or an error whose message is a sentence */
  run(args: ParsedArgs): Promise<void>
}

/** Reads the environment. @throws CommandError if it is invalid or has no database */
export function requireConfiguration(): Configuration & { readonly DATABASE_URL: string } {
  const read = readConfiguration(process.env)
  if (!read.ok) throw new CommandError(read.sentence)
  const { DATABASE_URL: url } = read.configuration
  if (url === undefined) throw new CommandError('DATABASE_URL is missing.')
  return { ...read.configuration, DATABASE_URL: url }
}

/** Opens the configured database. The audit log entries of its changes name the command line. */
export async function withDatabase<T>(
  work: (database: OpenDatabase, context: Context) => Promise<T>,
): Promise<T> {
  // Loaded late, since it takes most of the start-up time of a command.
  const { openDatabase } = await import('@kustos/database/client')
  const { DATABASE_URL: url, SMTP_URL: smtpUrl, PUBLIC_URL: publicUrl = null } = requireConfiguration()
  const database = openDatabase(url, { name: 'kustos-command-line', max: 1 })
  try {
    // Workers find mails that nobody has enqueued.
    const mail = smtpUrl === undefined ? undefined : { publicUrl, enqueue: () => Promise.resolve() }
    return await work(database, { ...createContext(database), origin: commandLineOrigin(), mail })
  } finally {
    await database.close()
  }
}

export const commandLineOrigin = (): Origin => ({ by: commandLine, system_user: systemUser() })

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Replaces line breaks and control characters, and limits the length. */
export const toPrintable = (text: string, maxLength = 100): string =>
  text.replace(/\p{Cc}/gu, ' ').slice(0, maxLength)

/** Reads a line. In a terminal it prompts and hides the input. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const lines = createInterface({ input: process.stdin })
    const [line = ''] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as string[]
    lines.close()
    return line
  }
  return ask('Password: ')
}

/** Reads a new password, twice in a terminal. @throws CommandError if they differ */
export async function readNewPassword(): Promise<string> {
  const first = await readPassword()
  if (process.stdin.isTTY && (await ask('Repeat the password: ')) !== first)
    throw new CommandError('The passwords do not match. Nothing was changed.')
  return first
}

async function ask(prompt: string): Promise<string> {
  process.stdout.write(prompt)
  // Without an output the input is not echoed.
  const lines = createInterface({ input: process.stdin, terminal: true })
  const line = await lines.question('')
  lines.close()
  process.stdout.write('\n')
  return line
}

export const toCommandError = (
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): CommandError =>
  new CommandError(
    issues.map((issue) => `${issue.path.map(String).join('.')}: ${issueText(issue.message)}.`).join('\n'),
  )
