import { bigint, boolean, index, integer, json, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'
import { users } from './users.ts'

/** Of those who have signed in: a visitor's session is its cookie alone. */
export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the session's id, so that whoever reads this table holds no session. */
    id: text().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What users see of it: whoever knows the number holds no session. */
    number: integer().generatedAlwaysAsIdentity(),
    data: json().$type<Record<string, unknown>>().notNull(),
    /** Lasts for its full time rather than until nobody has used it for a while. */
    remembered: boolean().notNull(),
    /** Where it was used last: the visitor's address, and the browser as it calls itself. */
    address: text(),
    user_agent: text(),
    created_at: moment().notNull(),
    last_seen_at: moment().notNull(),
    expires_at: moment().notNull(),
  },
  (table) => [
    index('sessions_by_user').on(table.user_id),
    index('sessions_by_expiry').on(table.expires_at),
    uniqueIndex('sessions_by_number').on(table.number),
  ],
)

/** Failed sign-ins, and those under way: an attempt stands here until its password proves right. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** In lower case, as it was typed; it need not be a user's. */
    email: text().notNull(),
    /** What counts as one address: of IPv6 its network. */
    address: text().notNull(),
    attempted_at: moment().notNull(),
  },
  (table) => [
    index('sign_in_attempts_by_email').on(table.email, table.attempted_at),
    index('sign_in_attempts_by_address').on(table.address, table.attempted_at),
  ],
)
