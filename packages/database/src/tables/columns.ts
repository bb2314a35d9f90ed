import { timestamp } from 'drizzle-orm/pg-core'

/** A moment, kept to the millisecond so that a JavaScript Date reads back what was written. */
export const moment = () => timestamp({ withTimezone: true, precision: 3 })

export const timestamps = {
  created_at: moment().notNull().defaultNow(),
  updated_at: moment().notNull().defaultNow(),
}
