import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, referenceTo, timestamps, timestamptz } from './columns.ts'

export const users = pgTable(
  'users',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    email: text().notNull(),
    name: text().notNull(),
    /** PHC string of argon2id. */
    password_hash: text().notNull(),
    monitoring_mail_subscription: boolean().notNull().default(false),
    /** Whether the user gets a mail when a deployment that they asked for succeeds or fails. */
    deployment_mail_subscription: boolean().notNull().default(false),
    ...timestamps,
    deleted_at: timestamptz(),
  },
  // Includes deleted users, who can be restored.
  (table) => [uniqueIndex('users_email_in_any_case').on(sql`lower(${table.email})`)],
)

export const roles = pgTable('roles', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull().unique(),
  ...timestamps,
})

/** The permissions of the contract. A migration adds new ones. */
export const permissions = pgTable('permissions', { name: text().primaryKey() })

export const rolePermissions = pgTable(
  'role_permissions',
  {
    role_id: cascadingReferenceTo(() => roles.id),
    permission: text()
      .notNull()
      .references(() => permissions.name),
  },
  (table) => [primaryKey({ columns: [table.role_id, table.permission] })],
)

export const userRoles = pgTable(
  'user_roles',
  {
    user_id: cascadingReferenceTo(() => users.id),
    role_id: referenceTo(() => roles.id),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.role_id] }),
    index('user_roles_by_role').on(table.role_id),
  ],
)
