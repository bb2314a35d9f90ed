import { readFile } from 'node:fs/promises'
import { type Command, CommandError, type ParsedArgs, print } from './command.ts'

export const verifyReportCommand: Command = {
  name: 'report:verify',
  usage: `  report:verify FILE --public-key PEM        checks the signature of a report of a tracking audit against a public key
                                             (/api/report-keys), without a database`,
  options: { 'public-key': { type: 'string' } },
  positionals: ['FILE'],
  run: verify,
}

const faults = {
  unsigned: 'it has no signature, or was cut off or appended to.',
  'other key': 'it is signed with another key.',
  altered: 'it was altered after it was signed.',
} as const

async function verify({ positionals: [file], values: { 'public-key': key } }: ParsedArgs): Promise<void> {
  if (file === undefined || typeof key !== 'string')
    throw new CommandError('report:verify needs a report and --public-key, the file of the public key.')
  const { verifyReport } = await import('@kustos/domain/reports')
  const checked = verifyReport(await read(file), [String(await read(key))])
  if (!checked.ok) throw new CommandError(`${file}: ${faults[checked.fault]}`)
  print(
    `${file}: unchanged since it was signed with the key ${checked.keyId}. Its record: ${checked.recordHash}`,
  )
}

const read = (path: string) =>
  readFile(path).catch((cause: unknown) => {
    throw new CommandError(`${path} cannot be read.`, { cause })
  })
