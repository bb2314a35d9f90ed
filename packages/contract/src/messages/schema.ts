import { z } from 'zod'
import type { Message, MessageParams } from './message.ts'

export const messageParams: z.ZodType<MessageParams> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.lazy(() => messageSchema)]),
)

export const messageSchema: z.ZodType<Message> = z
  .object({ code: z.string(), params: messageParams.optional() })
  .meta({ id: 'Message' })

/** Code and parameters of a stored message beside its sentence; null in rows of older releases. */
export const messageFields = <Field extends string>(field: Field) =>
  ({ [`${field}_code`]: z.string().nullable(), [`${field}_params`]: messageParams.nullable() }) as {
    readonly [Key in `${Field}_code`]: z.ZodNullable<z.ZodString>
  } & { readonly [Key in `${Field}_params`]: z.ZodNullable<typeof messageParams> }
