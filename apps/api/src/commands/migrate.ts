import { migrate as migrateDatabase } from '@kustos/database/migrations'
import { type Command, configured, say } from './command.ts'

export const migrate: Command = {
  name: 'migrate',
  usage: '  migrate                                    brings the database to the newest schema',
  async run() {
    const { DATABASE_URL: url, DATABASE_OWNER_URL: owner = url } = configured()
    await migrateDatabase(owner)
    say('The database is at the newest schema.')
  },
}
