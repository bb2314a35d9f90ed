import { type Command, configured, say } from './command.ts'

export const migrate: Command = {
  name: 'migrate',
  usage: '  migrate                                    brings the database to the newest schema',
  async run() {
    const { DATABASE_URL: url, DATABASE_OWNER_URL: owner = url } = configured()
    const { migrate: migrateDatabase } = await import('@kustos/database/migrations')
    await migrateDatabase(owner)
    say('The database is at the newest schema.')
  },
}
