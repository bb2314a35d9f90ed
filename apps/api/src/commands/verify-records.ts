import { type Command, CommandError, print, withDatabase } from './command.ts'

export const verifyRecordsCommand: Command = {
  name: 'records:verify',
  usage: `  records:verify                             checks the records of tracking audits and their screenshots against
                                             their hashes, and names the first altered one`,
  async run() {
    const { verifyRecords } = await import('@kustos/domain/reports')
    const { fault, records, images } = await withDatabase((_, context) => verifyRecords(context))
    if (fault !== null) throw new CommandError(fault)
    print(`Unchanged records: ${records}. Unchanged screenshots in them: ${images}.`)
  },
}
