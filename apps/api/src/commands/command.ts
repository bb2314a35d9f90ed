import { once } from 'node:events'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { ParseArgsOptionsConfig } from 'node:util'
import { commandLine } from '@kustos/contract/log-words'
import type { OpenDatabase } from '@kustos/database/client'
import { type Configuration, readConfiguration } from '@kustos/domain/configuration'
import { type Context, contextOf } from '@kustos/domain/context'

/** Ends a command with a sentence for whoever typed it. */
export class Refusal extends Error {}

/** What was typed, besides the command's own words. */
export interface Typed {
  readonly words: readonly string[]
  /** Of the options; one that may stand more than once is a list. */
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>
}

/** A command of `pnpm kustos`. */
export interface Command {
  /** The words that it begins with: user:create, import domains. */
  readonly name: string
  /** As the usage shows it, in lines of the width of a terminal. */
  readonly usage: string
  readonly options?: ParseArgsOptionsConfig
  /** What the words behind the name are, as the usage has them; none where there are none. */
  readonly words?: readonly string[]
  /** @throws Refusal, or an error whose message is a sentence */
  run(typed: Typed): Promise<void>
}

/** The environment, checked. @throws Refusal where it is wrong, or names no database */
export function configured(): Configuration & { readonly DATABASE_URL: string } {
  const read = readConfiguration(process.env)
  if (!read.ok) throw new Refusal(read.sentence)
  const { DATABASE_URL: url } = read.configuration
  if (url === undefined) throw new Refusal('DATABASE_URL is missing.')
  return { ...read.configuration, DATABASE_URL: url }
}

/** Works on the database that the environment names; the log entries of its changes tell whence they come. */
export async function withDatabase<T>(
  work: (database: OpenDatabase, context: Context) => Promise<T>,
): Promise<T> {
  // Only now: what it takes is most of a command's start.
  const { openDatabase } = await import('@kustos/database/client')
  const database = openDatabase(configured().DATABASE_URL, { name: 'kustos-command-line', max: 1 })
  try {
    const origin = { by: commandLine, system_user: systemUser() } as const
    return await work(database, { ...contextOf(database), origin })
  } finally {
    await database.close()
  }
}

/** Whoever types is known to the operating system by a name, or at least by a number. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** On one line, and without what a terminal would obey. */
export const shown = (text: string, most = 100): string => text.replace(/\p{Cc}/gu, ' ').slice(0, most)

/** One line; asked for, and not shown, where somebody types it. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const lines = createInterface({ input: process.stdin })
    const [line = ''] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as string[]
    lines.close()
    return line
  }
  return ask('Password: ')
}

/** A password that is to be set: a typed one is asked for twice. @throws Refusal where the two differ */
export async function readNewPassword(): Promise<string> {
  const first = await readPassword()
  if (process.stdin.isTTY && (await ask('Once more: ')) !== first)
    throw new Refusal('The two passwords differ: nothing was changed.')
  return first
}

async function ask(prompt: string): Promise<string> {
  process.stdout.write(prompt)
  // Without an output, nothing of what is typed is echoed.
  const lines = createInterface({ input: process.stdin, terminal: true })
  const line = await lines.question('')
  lines.close()
  process.stdout.write('\n')
  return line
}

/** What a schema says against what was typed. */
export const refusalOf = (issues: readonly { path: readonly PropertyKey[]; message: string }[]): Refusal =>
  new Refusal(issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}.`).join('\n'))
