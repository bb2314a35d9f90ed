import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '@kustos/database/client'
import { migrate } from '@kustos/database/migrations'
import { readConfiguration } from '@kustos/domain/configuration'
import { contextOf } from '@kustos/domain/context'
import { createUser, newUser } from '@kustos/domain/users'

/** What an operator does without a browser. */
const usage = `Usage: pnpm kustos <command>

  migrate                                    brings the database to the newest schema
  user:create EMAIL --name NAME --role ROLE  adds a user; the password comes from standard input
                                             (--role may stand more than once; admin is always there)

DATABASE_URL names the database.`

class Refusal extends Error {}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      role: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  })
  const [command, ...rest] = positionals
  if (values.help || command === undefined) return say(usage)
  const url = databaseUrl()
  if (command === 'migrate') {
    await migrate(url)
    return say('The database is at the newest schema.')
  }
  if (command === 'user:create') return addUser(url, rest[0], values.name, values.role)
  throw new Refusal(`There is no command '${command}'.\n\n${usage}`)
}

function databaseUrl(): string {
  const read = readConfiguration(process.env)
  if (!read.ok) throw new Refusal(read.sentence)
  const { DATABASE_URL: url } = read.configuration
  if (url === undefined) throw new Refusal('DATABASE_URL is missing.')
  return url
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
