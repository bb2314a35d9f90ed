import { timestamp } from 'drizzle-orm/pg-core'

/** A timestamp with the precision of a JavaScript Date. */
export const moment = () => timestamp({ withTimezone: true, precision: 3 })

export const timestamps = {
  created_at: moment().notNull().defaultNow(),
  updated_at: moment().notNull().defaultNow(),
}
