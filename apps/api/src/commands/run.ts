import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { backupCommand } from './backup.ts'
import { type Command, CommandError, print, toPrintable } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { importLegacyCommand } from './import-legacy.ts'
import { importDomainsCommand, importEmailsCommand, importWebsCommand } from './import-lists.ts'
import { migrateCommand } from './migrate.ts'
import { deleteNodeCommand, listNodesCommand, setNodeCommand, testNodeCommand } from './nodes.ts'
import { setPoolerLoginCommand } from './pooler.ts'
import { restoreCommand } from './restore.ts'
import { syncRegistrarCommand } from './sync-registrar.ts'
import { changePasswordCommand, createUserCommand } from './users.ts'
import { verifyLogCommand } from './verify-log.ts'
import { verifyRecordsCommand } from './verify-records.ts'
import { verifyReportCommand } from './verify-report.ts'

/** In the order in which the usage shows them. */
const commands: readonly Command[] = [
  doctorCommand,
  migrateCommand,
  setPoolerLoginCommand,
  backupCommand,
  restoreCommand,
  createUserCommand,
  changePasswordCommand,
  listNodesCommand,
  setNodeCommand,
  testNodeCommand,
  deleteNodeCommand,
  importWebsCommand,
  importDomainsCommand,
  importEmailsCommand,
  syncRegistrarCommand,
  importLegacyCommand,
  verifyLogCommand,
  verifyRecordsCommand,
  verifyReportCommand,
]

const usage = `Usage: pnpm kustos <command>

${commands.map((command) => command.usage).join('\n')}

DATABASE_URL is the address of the database.`

/** Finds and runs a command. @throws CommandError, or an error whose message is a sentence */
export async function run(args: readonly string[]): Promise<void> {
  const {
    positionals,
    values: { help },
  } = parse(args, commands)
  if (help === true || positionals.length === 0) return print(usage)
  const command = commands.find(({ name }) => name === positionals.slice(0, name.split(' ').length).join(' '))
  if (!command)
    throw new CommandError(`There is no command '${positionals.slice(0, 2).join(' ')}'.\n\n${usage}`)
  const size = command.name.split(' ').length
  // Parses again with the options of this command only.
  const own = parse(args, [command])
  const rest = own.positionals.slice(size)
  rejectExtraArguments(command, rest)
  await command.run({ positionals: rest, values: own.values })
}

/** Rejects extra arguments, which would otherwise be ignored without a word. */
function rejectExtraArguments(
  { name, positionals: expected = [] }: Command,
  actual: readonly string[],
): void {
  const extra = actual.slice(expected.length)
  if (extra.length === 0) return
  const accepted = expected.length === 0 ? 'no arguments' : expected.join(' ')
  throw new CommandError(
    `Unexpected argument '${toPrintable(extra.join(' '))}': ${name} takes ${accepted}. Put values that contain spaces in quotes.`,
  )
}

function parse(args: readonly string[], among: readonly Command[]) {
  const options: ParseArgsOptionsConfig = Object.assign(
    { help: { type: 'boolean' } },
    ...among.map((command) => command.options),
  )
  return parseArgs({ args: [...args], allowPositionals: true, options })
}
