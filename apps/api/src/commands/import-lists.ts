import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ImportReport } from '@kustos/domain/imports'
import type { Context } from '@kustos/domain/platform/context'
import { errorMessage } from '@kustos/domain/platform/errors'
import { type Command, configured, type ParsedArgs, Refusal, say, shown, withDatabase } from './command.ts'

const positionals = ['FILE']
const options = { 'skip-bad': { type: 'boolean' } } as const

/** Imports the rows of a file. Loaded only if needed. */
type Load = () => Promise<
  (
    context: Context,
    file: Uint8Array,
    options: { readonly fileName: string; readonly skipBad: boolean },
  ) => Promise<ImportReport>
>

export const takeDomains: Command = {
  name: 'import domains',
  usage: '  import domains FILE [--skip-bad]           takes own domains from a CSV file: fqdn, customer',
  positionals,
  options,
  run: (args) => importList(async () => (await import('@kustos/domain/limitis')).importDomains, args),
}

export const takeEmails: Command = {
  name: 'import emails',
  usage: `  import emails FILE [--skip-bad]            takes mailboxes from a CSV file: address, customer, type
                                             (its first line names the columns; with a wrong line nothing is
                                             written, unless --skip-bad leaves such lines out)`,
  positionals,
  options,
  run: (args) => importList(async () => (await import('@kustos/domain/limitis')).importEmails, args),
}

async function importList(load: Load, args: ParsedArgs): Promise<void> {
  const { LIMITIS_API_URL: registrar, LIMITIS_API_TOKEN: token } = configured()
  if (registrar !== undefined && token !== undefined) {
    throw new Refusal(
      'LIMITIS_API_URL is set: the next sync with the registrar would undo an import. Unset it to import.',
    )
  }
  await importFile(load, args)
}

/** Imports a file and reports the outcome of each line. @throws Refusal if nothing was written */
export async function importFile(
  load: Load,
  { positionals: [path], values: { 'skip-bad': skipBad = false } }: ParsedArgs,
): Promise<void> {
  if (path === undefined) throw new Refusal('An import is from a FILE.')
  const file = await readFile(path).catch((error: unknown) => {
    throw new Refusal(`The file cannot be read: ${errorMessage(error)}`)
  })
  await withDatabase(async (_, context) =>
    report(await (await load())(context, file, { fileName: basename(path), skipBad: skipBad === true })),
  )
}

/** Prints the outcome of each line, and a summary. */
function report({ lines, isWritten }: ImportReport): void {
  for (const line of lines) {
    const name = shown(line.name)
    if (line.outcome === 'wrong')
      say(`line ${line.line}  wrong  ${name}${name === '' ? '' : ': '}${line.message}`)
    else
      say(
        `line ${line.line}  ${isWritten || line.outcome === 'unchanged' ? '' : 'would be '}${line.outcome}  ${name}`,
      )
  }
  const count = (outcome: string) => lines.filter((line) => line.outcome === outcome).length
  const wrong = count('wrong')
  if (!isWritten) {
    throw new Refusal(
      `Nothing was written: ${wrong} of ${lines.length} lines ${wrong === 1 ? 'is' : 'are'} wrong. Correct them, or leave them out with --skip-bad.`,
    )
  }
  say(
    `${count('added')} added, ${count('changed')} changed, ${count('unchanged')} as they were, ${wrong} left out.`,
  )
}
