import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ImportReport } from '@kustos/domain/imports'
import type { Context } from '@kustos/domain/platform/context'
import { errorMessage } from '@kustos/domain/platform/errors'
import {
  type Command,
  CommandError,
  type ParsedArgs,
  print,
  requireConfiguration,
  toPrintable,
  withDatabase,
} from './command.ts'

const positionals = ['FILE']
const options = { 'skip-bad': { type: 'boolean' } } as const

/** Loads the function that imports the rows of a file, which takes most of the start-up time of a command. */
type LoadLists = () => Promise<
  (
    context: Context,
    file: Uint8Array,
    options: { readonly fileName: string; readonly skipBad: boolean },
  ) => Promise<ImportReport>
>

export const importWebsCommand: Command = {
  name: 'import webs',
  usage: `  import webs FILE [--skip-bad]              imports webs from a CSV file: fqdn, customer, configured_ip and any
                                             other column of the web list or its export`,
  positionals,
  options,
  run: (args) => importFile(async () => (await import('@kustos/domain/imports')).importWebs, args),
}

export const importDomainsCommand: Command = {
  name: 'import domains',
  usage: '  import domains FILE [--skip-bad]           imports own domains from a CSV file: fqdn, customer',
  positionals,
  options,
  run: (args) => importList(async () => (await import('@kustos/domain/limitis')).importDomains, args),
}

export const importEmailsCommand: Command = {
  name: 'import emails',
  usage: `  import emails FILE [--skip-bad]            imports mailboxes from a CSV file: address, customer, type
                                             (the first line names the columns; if a line is invalid, nothing is
                                             imported, unless --skip-bad skips such lines)`,
  positionals,
  options,
  run: (args) => importList(async () => (await import('@kustos/domain/limitis')).importEmails, args),
}

async function importList(load: LoadLists, args: ParsedArgs): Promise<void> {
  const { LIMITIS_API_URL: registrar, LIMITIS_API_TOKEN: token } = requireConfiguration()
  if (registrar !== undefined && token !== undefined) {
    throw new CommandError(
      'LIMITIS_API_URL is set: the next sync with the registrar would undo an import. Unset it to import.',
    )
  }
  await importFile(load, args)
}

/** Imports a file and reports the outcome of each line. @throws CommandError if nothing was written */
async function importFile(
  load: LoadLists,
  { positionals: [path], values: { 'skip-bad': skipBad = false } }: ParsedArgs,
): Promise<void> {
  if (path === undefined) throw new CommandError('FILE is missing.')
  const file = await readFile(path).catch((error: unknown) => {
    throw new CommandError(`The file cannot be read: ${errorMessage(error)}`)
  })
  await withDatabase(async (_, context) =>
    report(await (await load())(context, file, { fileName: basename(path), skipBad: skipBad === true })),
  )
}

function report({ lines, isWritten }: ImportReport): void {
  for (const line of lines) {
    const name = toPrintable(line.name)
    if (line.outcome === 'invalid')
      print(`line ${line.line}  invalid  ${name}${name === '' ? '' : ': '}${toPrintable(line.message, 400)}`)
    else
      print(
        `line ${line.line}  ${isWritten || line.outcome === 'unchanged' ? '' : 'would be '}${line.outcome}  ${name}`,
      )
  }
  const count = (outcome: string) => lines.filter((line) => line.outcome === outcome).length
  const invalid = count('invalid')
  if (!isWritten) {
    throw new CommandError(
      `Nothing was imported: ${invalid} of ${lines.length} lines ${invalid === 1 ? 'is' : 'are'} invalid. Correct them, or skip them with --skip-bad.`,
    )
  }
  print(
    `${count('added')} added, ${count('changed')} changed, ${count('unchanged')} unchanged, ${invalid} skipped.`,
  )
}
