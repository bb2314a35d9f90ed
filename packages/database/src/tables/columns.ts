import type { MessageParams } from '@kustos/contract/messages'
import { type AnyPgColumn, integer, jsonb, text, timestamp } from 'drizzle-orm/pg-core'

/** A timestamp with the precision of a JavaScript Date. */
export const moment = () => timestamp({ withTimezone: true, precision: 3 })

export const timestamps = {
  created_at: moment().notNull().defaultNow(),
  updated_at: moment().notNull().defaultNow(),
}

/** The id of a row that cannot be deleted while this one exists. */
export const referenceTo = (id: () => AnyPgColumn) => integer().notNull().references(id)

/** The id of a row that this one is deleted with. */
export const partOf = (id: () => AnyPgColumn) => integer().notNull().references(id, { onDelete: 'cascade' })

const code = () => text()
const params = () => jsonb().$type<MessageParams>()

/** The code and the parameters of the message whose English sentence is in the column `field`. */
export const messageColumns = <Field extends string>(field: Field) =>
  ({ [`${field}_code`]: code(), [`${field}_params`]: params() }) as Record<
    `${Field}_code`,
    ReturnType<typeof code>
  > &
    Record<`${Field}_params`, ReturnType<typeof params>>
