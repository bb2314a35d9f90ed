import type { MessageParams } from '@kustos/contract/messages'
import { type AnyPgColumn, customType, integer, text, timestamp } from 'drizzle-orm/pg-core'
import { storableJson } from '../storable-text.ts'

/** A timestamp with the precision of a JavaScript Date. */
export const timestamptz = () => timestamp({ withTimezone: true, precision: 3 })

export const timestamps = {
  created_at: timestamptz().notNull().defaultNow(),
  updated_at: timestamptz().notNull().defaultNow(),
}

const jsonType = (name: 'json' | 'jsonb') =>
  customType<{ data: unknown; driverData: unknown }>({ dataType: () => name, toDriver: storableJson })

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const json = jsonType('json')
export const jsonb = jsonType('jsonb')

/** The id of a row that cannot be deleted while this one exists. */
export const referenceTo = (id: () => AnyPgColumn) => integer().notNull().references(id)

/** The id of a row that this one is deleted with. */
export const cascadingReferenceTo = (id: () => AnyPgColumn) =>
  integer().notNull().references(id, { onDelete: 'cascade' })

const params = () => jsonb().$type<MessageParams>()

/** The columns of a message: its English sentence, its code and its parameters. */
export const messageColumns = <Field extends string>(field: Field) =>
  ({ [field]: text(), [`${field}_code`]: text(), [`${field}_params`]: params() }) as Record<
    Field | `${Field}_code`,
    ReturnType<typeof text>
  > &
    Record<`${Field}_params`, ReturnType<typeof params>>
