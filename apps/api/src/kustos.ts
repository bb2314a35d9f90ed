import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '@kustos/database/client'
import { migrate } from '@kustos/database/migrations'
import { readConfiguration } from '@kustos/domain/configuration'
import { contextOf } from '@kustos/domain/context'
import { type ImportReport, importDomains, importEmails } from '@kustos/domain/limitis'
import { createUser, newUser } from '@kustos/domain/users'

/** What an operator does without a browser. */
const usage = `Usage: pnpm kustos <command>

  migrate                                    brings the database to the newest schema
  user:create EMAIL --name NAME --role ROLE  adds a user; the password comes from standard input
                                             (--role may stand more than once; admin is always there)
  import domains FILE [--skip-bad]           takes own domains from a CSV file: fqdn, customer
  import emails FILE [--skip-bad]            takes mailboxes from a CSV file: address, customer, type
                                             (its first line names the columns; with a wrong line nothing is
                                             written, unless --skip-bad leaves such lines out)

DATABASE_URL names the database.`

class Refusal extends Error {}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      role: { type: 'string', multiple: true },
      'skip-bad': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  const [command, ...rest] = positionals
  if (values.help || command === undefined) return say(usage)
  const { url, hasRegistrar } = configured()
  if (command === 'migrate') {
    await migrate(url)
    return say('The database is at the newest schema.')
  }
  if (command === 'user:create') return addUser(url, rest[0], values.name, values.role)
  if (command === 'import') {
    if (hasRegistrar) {
      throw new Refusal(
        'LIMITIS_API_URL is set: the next sync with the registrar would undo an import. Unset it to import.',
      )
    }
    return importFile(url, rest[0], rest[1], values['skip-bad'] ?? false)
  }
  throw new Refusal(`There is no command '${command}'.\n\n${usage}`)
}

function configured(): { url: string; hasRegistrar: boolean } {
  const read = readConfiguration(process.env)
  if (!read.ok) throw new Refusal(read.sentence)
  const { DATABASE_URL: url, LIMITIS_API_URL: registrar, LIMITIS_API_TOKEN: token } = read.configuration
  if (url === undefined) throw new Refusal('DATABASE_URL is missing.')
  return { url, hasRegistrar: registrar !== undefined && token !== undefined }
}

async function addUser(url: string, email?: string, name?: string, roles?: string[]): Promise<void> {
  const parsed = newUser.safeParse({
    email,
    name: name ?? email,
    password: await readPassword(),
    roles: roles ?? [],
  })
  if (!parsed.success) {
    throw new Refusal(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`).join('\n'),
    )
  }
  const database = openDatabase(url, { name: 'kustos-command-line', max: 1 })
  try {
    const id = await createUser(contextOf(database), parsed.data)
    say(`User ${id} (${parsed.data.email}) was added.`)
  } finally {
    await database.close()
  }
}

async function importFile(
  url: string,
  list: string | undefined,
  path: string | undefined,
  skipBad: boolean,
): Promise<void> {
  const take = list === 'domains' ? importDomains : list === 'emails' ? importEmails : undefined
  if (take === undefined || path === undefined)
    throw new Refusal(`An import is of domains or of emails, from a FILE.\n\n${usage}`)
  const file = await readFile(path).catch((error: unknown) => {
    throw new Refusal(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  const database = openDatabase(url, { name: 'kustos-command-line', max: 1 })
  try {
    report(await take(contextOf(database), file, { fileName: basename(path), skipBad }))
  } finally {
    await database.close()
  }
}

/** A line for each of the file's, and their sum. */
function report({ lines, isWritten }: ImportReport): void {
  for (const line of lines) {
    const said = line.outcome === 'wrong' ? `: ${line.message}` : ''
    say(`line ${line.line}  ${line.outcome}  ${shown(line.name)}${said}`)
  }
  const count = (outcome: string) => lines.filter((line) => line.outcome === outcome).length
  const wrong = count('wrong')
  if (!isWritten) {
    throw new Refusal(
      `Nothing was written: ${wrong} of ${lines.length} lines are wrong. Correct them, or leave them out with --skip-bad.`,
    )
  }
  say(
    `${count('added')} added, ${count('changed')} changed, ${count('unchanged')} as they were, ${wrong} left out.`,
  )
}

/** On one line, and without what a terminal would obey. */
const shown = (text: string) => text.replace(/\p{Cc}/gu, ' ').slice(0, 100)

/** One line; asked for, and not shown, where somebody types it. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const lines = createInterface({ input: process.stdin })
    const [line = ''] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as string[]
    lines.close()
    return line
  }
  process.stdout.write('Password: ')
  // Without an output, nothing of what is typed is echoed.
  const lines = createInterface({ input: process.stdin, terminal: true })
  const line = await lines.question('')
  lines.close()
  process.stdout.write('\n')
  return line
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
