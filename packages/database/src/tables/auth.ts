import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, json, timestamptz } from './columns.ts'
import { users } from './users.ts'

/** The sessions of signed-in users. A visitor's session exists in its cookie only. */
export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the session id, so this table gives access to no session. */
    id: text().primaryKey(),
    user_id: cascadingReferenceTo(() => users.id),
    /** The id that users see, which gives no access to the session. */
    number: integer().generatedAlwaysAsIdentity(),
    data: json().$type<Record<string, unknown>>().notNull(),
    /** Whether it lasts for its full time even if unused. */
    remembered: boolean().notNull(),
    /** The address and browser that last used it. */
    address: text(),
    user_agent: text(),
    created_at: timestamptz().notNull(),
    last_seen_at: timestamptz().notNull(),
    expires_at: timestamptz().notNull(),
    /** When its user last entered the password; null for sessions of the previous release. */
    confirmed_at: timestamptz(),
  },
  (table) => [
    index('sessions_by_user').on(table.user_id),
    index('sessions_by_expiry').on(table.expires_at),
    uniqueIndex('sessions_by_number').on(table.number),
  ],
)

/** E-mails that users have asked for and their addresses have not confirmed yet. */
export const emailChanges = pgTable('email_changes', {
  user_id: cascadingReferenceTo(() => users.id).primaryKey(),
  email: text().notNull(),
  /** SHA-256 of the link's token. */
  token_hash: text().notNull(),
  expires_at: timestamptz().notNull(),
})

/** Only processes of the previous release use it, which may still run during an upgrade. The next release drops it. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** In lower case; not necessarily that of a user. */
    email: text().notNull(),
    /** An IPv4 address, or the network of an IPv6 address. */
    address: text().notNull(),
    attempted_at: timestamptz().notNull(),
  },
  (table) => [
    index('sign_in_attempts_by_email').on(table.email, table.attempted_at),
    index('sign_in_attempts_by_address').on(table.address, table.attempted_at),
  ],
)

/**
 * Failed sign-ins, and those whose password has not been checked yet, by e-mail, address or device. The statements of
 * rate-limiter-flexible need these columns in this order.
 */
export const signInLimits = pgTable('sign_in_limits', {
  key: text().primaryKey(),
  points: integer().notNull(),
  /** Milliseconds since 1970. */
  expire: bigint({ mode: 'number' }).notNull(),
})

/** Counts of failed sign-ins, removed after 90 days. The audit log has the first ones and a summary of each hour. */
export const failedSignIns = pgTable(
  'failed_sign_ins',
  {
    hour: timestamptz().notNull(),
    /** In lower case; empty for those that a network's limit has refused. */
    email: text().notNull(),
    /** An IPv4 address, or the network of an IPv6 address; empty for those that the limit of an e-mail or a device has refused. */
    network: text().notNull(),
    wrong: integer().notNull().default(0),
    /** Refused before the password was checked. */
    throttled: integer().notNull().default(0),
    /** How many of both are in the audit log. */
    logged: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.email, table.network] }),
    index('failed_sign_ins_logged').on(table.hour).where(sql`${table.logged} > 0`),
    index('failed_sign_ins_not_logged')
      .on(table.hour)
      .where(sql`${table.wrong} + ${table.throttled} > ${table.logged}`),
  ],
)
