import type { CurrentUser } from '@kustos/contract/users'
import { isRecord, isStringArray } from './storage.ts'

const types = {
  id: 'number',
  email: 'string',
  name: 'string',
  monitoring_mail_subscription: 'boolean',
  deployment_mail_subscription: 'boolean',
  created_at: 'string',
  updated_at: 'string',
} as const satisfies { [Field in keyof CurrentUser]?: string }

/** Not checked by the schema, because zod is not in the initial bundle. */
export const isCurrentUser = (value: unknown): value is CurrentUser =>
  isRecord(value) &&
  Object.entries(types).every(([field, type]) => typeof value[field] === type) &&
  isStringArray(value.permissions) &&
  Array.isArray(value.roles) &&
  value.roles.every((role) => isRecord(role) && typeof role.id === 'number' && typeof role.name === 'string')
