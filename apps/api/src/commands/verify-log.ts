import type { LogVerification } from '@kustos/domain/logs'
import { type Command, CommandError, type ParsedArgs, print, withDatabase } from './command.ts'

export const verifyLogCommand: Command = {
  name: 'audit:verify',
  usage: `  audit:verify [--head NUMBER:HASH]          checks the audit log against its chain of hashes, and names the first entry
                                             that is not as it was written (--head is a head of the chain that
                                             was noted earlier, as this command and the workers' log show it)`,
  options: { head: { type: 'string' } },
  run: verify,
}

async function verify({ values }: ParsedArgs): Promise<void> {
  const { formatHead, parseHead, verifyLog } = await import('@kustos/domain/logs')
  const expected = values.head === undefined ? null : parseHead(String(values.head))
  if (values.head !== undefined && expected === null)
    throw new CommandError('--head must be a number, a colon and 64 hexadecimal digits.')
  const found = await withDatabase((_, context) => verifyLog(context, expected))
  report(found, formatHead(found.head))
}

/** @throws CommandError if something is not as it was */
function report({ fault, sealed, unsealed }: LogVerification, head: string): void {
  if (fault !== null) throw new CommandError(`${fault}\nEverything up to seal ${head} is as it was sealed.`)
  print(`Entries as they were sealed: ${sealed}. Newer ones that are not sealed yet: ${unsealed}.`)
  print(`Head of the chain, to be noted elsewhere: ${head}`)
}
