import type { ArchiveCheck, LogVerification } from '@kustos/domain/logs'
import { type Command, CommandError, type ParsedArgs, print, withDatabase } from './command.ts'

export const verifyLogCommand: Command = {
  name: 'audit:verify',
  usage: `  audit:verify [FILE] [--head NUMBER:HASH]   checks the audit log against its chain of hashes, and names the first
                                             altered entry (--head is a head of the chain that was noted earlier,
                                             as this command and the workers' log show it); with FILE, checks an
                                             archive of the log against that chain`,
  options: { head: { type: 'string' } },
  positionals: ['[FILE]'],
  run: verify,
}

async function verify({ positionals: [file], values }: ParsedArgs): Promise<void> {
  const { formatHead, parseHead, verifyArchive, verifyLog } = await import('@kustos/domain/logs')
  const expected = values.head === undefined ? null : parseHead(String(values.head))
  if (values.head !== undefined && expected === null)
    throw new CommandError('--head must be a number, a colon and 64 hexadecimal digits.')
  await withDatabase(async (_, context) => {
    if (file !== undefined) reportArchive(file, await verifyArchive(context, file))
    const found = await verifyLog(context, expected)
    report(found, formatHead(found.head))
  })
}

/** @throws CommandError if something was altered */
function reportArchive(file: string, { fault, entries, from, until }: ArchiveCheck): void {
  if (fault !== null) throw new CommandError(`${file}: ${fault}`)
  print(`${file}: ${entries} entries ${formatSpan(from, until)}, unchanged since sealing.`)
}

/** @throws CommandError if something was altered */
function report({ fault, sealed, unsealed, archives }: LogVerification, head: string): void {
  if (fault !== null)
    throw new CommandError(`${fault}\nEverything up to seal ${head} is unchanged since sealing.`)
  print(`Entries unchanged since sealing: ${sealed}. Newer ones that are not sealed yet: ${unsealed}.`)
  for (const { file, entries, from_at, until_at } of archives)
    print(`Archived in ${file}: ${entries} ${formatSpan(from_at, until_at)}.`)
  print(`Head of the chain, to be noted elsewhere: ${head}`)
}

const formatSpan = (from: Date, until: Date) =>
  `from ${from.toISOString().slice(0, 10)} until before ${until.toISOString().slice(0, 10)}`
