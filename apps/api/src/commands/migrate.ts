import { type Command, print, requireConfiguration } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '  migrate                                    updates the database to the latest schema',
  async run() {
    const { DATABASE_URL: url, DATABASE_OWNER_URL: owner = url } = requireConfiguration()
    const { migrate: migrateDatabase } = await import('@kustos/database/migrations')
    await migrateDatabase(owner, undefined, { onRetry: (sentence) => process.stderr.write(`${sentence}\n`) })
    print('The database has the latest schema.')
  },
}
