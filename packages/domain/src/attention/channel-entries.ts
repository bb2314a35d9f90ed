import { alertChannelStates, alertChannels } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { selectEntries } from './entry-sql.ts'

/** Channels that refuse alerts for good, until one or a test message is accepted. */
export const refusingChannels = (): SQL =>
  selectEntries(
    'alert_channel_refusing',
    {
      subject_id: sql`c.id`,
      since: sql`s.refusing_since`,
      subject: sql`c.name`,
      reason: sql`s.error`,
    },
    sql`from ${alertChannelStates} s join ${alertChannels} c on c.id = s.channel_id where s.refusing_since is not null`,
  )
