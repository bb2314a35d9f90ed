import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { backup } from './backup.ts'
import { type Command, Refusal, say, shown } from './command.ts'
import { takeLegacy } from './import-legacy.ts'
import { takeDomains, takeEmails } from './import-lists.ts'
import { takeWebs } from './import-webs.ts'
import { migrate } from './migrate.ts'
import { restore } from './restore.ts'
import { syncWithRegistrar } from './sync-registrar.ts'
import { addUser, changePassword } from './users.ts'

/** In the order in which the usage shows them. */
const commands: readonly Command[] = [
  migrate,
  backup,
  restore,
  addUser,
  changePassword,
  takeWebs,
  takeDomains,
  takeEmails,
  syncWithRegistrar,
  takeLegacy,
]

const usage = `Usage: pnpm kustos <command>

${commands.map((command) => command.usage).join('\n')}

DATABASE_URL names the database.`

/** Finds and runs a command. @throws Refusal, or an error whose message is a sentence */
export async function run(args: readonly string[]): Promise<void> {
  const {
    positionals,
    values: { help },
  } = parse(args, commands)
  if (help === true || positionals.length === 0) return say(usage)
  const command = commands.find(({ name }) => name === positionals.slice(0, name.split(' ').length).join(' '))
  if (!command) throw new Refusal(`There is no command '${positionals.slice(0, 2).join(' ')}'.\n\n${usage}`)
  const size = command.name.split(' ').length
  // Parses again with the options of this command only.
  const own = parse(args, [command])
  const rest = own.positionals.slice(size)
  refuseMore(command, rest)
  await command.run({ positionals: rest, values: own.values })
}

/** An additional argument is a mistake that would otherwise be ignored. */
function refuseMore({ name, positionals: taken = [] }: Command, sent: readonly string[]): void {
  const more = sent.slice(taken.length)
  if (more.length === 0) return
  const takes = taken.length === 0 ? 'no words' : taken.join(' ')
  throw new Refusal(
    `'${shown(more.join(' '))}' is too much: ${name} takes ${takes}. A value of several words stands in quotes.`,
  )
}

function parse(args: readonly string[], among: readonly Command[]) {
  const options: ParseArgsOptionsConfig = Object.assign(
    { help: { type: 'boolean' } },
    ...among.map((command) => command.options),
  )
  return parseArgs({ args: [...args], allowPositionals: true, options })
}
