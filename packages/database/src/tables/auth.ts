import { bigint, boolean, index, integer, json, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, partOf } from './columns.ts'
import { users } from './users.ts'

/** The sessions of signed-in users. A visitor's session exists in its cookie only. */
export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the session id, so this table gives access to no session. */
    id: text().primaryKey(),
    user_id: partOf(() => users.id),
    /** The id that users see, which gives no access to the session. */
    number: integer().generatedAlwaysAsIdentity(),
    data: json().$type<Record<string, unknown>>().notNull(),
    /** Whether it lasts for its full time even if unused. */
    remembered: boolean().notNull(),
    /** The address and browser that last used it. */
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

/** Failed sign-ins, and those whose password has not been checked yet. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** In lower case; not necessarily that of a user. */
    email: text().notNull(),
    /** An IPv4 address, or the network of an IPv6 address. */
    address: text().notNull(),
    attempted_at: moment().notNull(),
  },
  (table) => [
    index('sign_in_attempts_by_email').on(table.email, table.attempted_at),
    index('sign_in_attempts_by_address').on(table.address, table.attempted_at),
  ],
)
