import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { text, timestamp } from '../text.ts'
import { asciiFqdn } from '../webs/fqdn.ts'
import {
  type CheckField,
  checkMethods,
  checkSources,
  maxCheckHeaders,
  maxCheckHosts,
  maxCheckSeconds,
} from './states.ts'
import { readStatuses, writeStatuses } from './statuses.ts'

/** Of a request line: visible ASCII without a fragment. */
const path = z
  .string()
  .trim()
  .max(1000, issue('too_long', { max: 1000 }))
  .regex(/^\/[\x21\x22\x24-\x7e]*$/, issue('check_path_invalid'))

const statuses = z
  .string()
  .max(200, issue('too_long', { max: 200 }))
  .transform((given, context) => {
    const ranges = readStatuses(given)
    if (ranges === null) context.addIssue({ code: 'custom', message: issue('check_statuses_invalid') })
    return writeStatuses(ranges ?? [])
  })

const host = z
  .string()
  .max(1000, issue('host_name_invalid'))
  .transform((given, context) => {
    const ascii = asciiFqdn(given.trim().toLowerCase())
    if (ascii === null) context.addIssue({ code: 'custom', message: issue('host_name_invalid') })
    return ascii ?? ''
  })

const maxHeaderValue = 2000
/** Headers that decide on the connection or on where a message ends. */
const reservedHeaders =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|proxy-.*)$/

/** A header of requests. Its value is a secret: it is never read again, and stays as it is if it is null. */
const header = z.object({
  name: z
    .string()
    .trim()
    .min(1, issue('name_required'))
    .max(100, issue('too_long', { max: 100 }))
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, issue('check_header_invalid'))
    .refine((name) => !reservedHeaders.test(name.toLowerCase()), issue('check_header_reserved')),
  value: z
    .string()
    .trim()
    .max(maxHeaderValue, issue('too_long', { max: maxHeaderValue }))
    .regex(/^[\x20-\x7e]*$/, issue('check_header_value_invalid'))
    .nullable()
    .default(null),
})
export type CheckHeader = z.output<typeof header>

const headers = z
  .array(header)
  .max(maxCheckHeaders, issue('at_most', { max: maxCheckHeaders }))
  .superRefine((given, context) => {
    const names = given.map(({ name }) => name.toLowerCase())
    const twice = given.find(({ name }, index) => names.indexOf(name.toLowerCase()) !== index)
    if (twice !== undefined)
      context.addIssue({ code: 'custom', message: issue('check_header_twice', { name: twice.name }) })
  })

const secondsRange = { min: 1, max: maxCheckSeconds }
const slowRange = { min: 0, max: maxCheckSeconds * 1000 }

/** Fields that are null, or left out of all but batches, are inherited. An empty text or list and 0 mean none. */
const settings = {
  path,
  /** HEAD is repeated as GET for servers that refuse it. With texts to look for, GET is used. */
  method: z.enum(checkMethods),
  /** Expected ones, such as `200-399, 401`. */
  statuses,
  /** Text that the page must have, as its source spells it. */
  required_text: text(200),
  forbidden_text: text(200),
  /** Otherwise a redirect is the response. */
  follows_redirects: z.boolean(),
  /** Hosts that redirects may lead to, with their subdomains, besides the web's own. Without any, all public ones. */
  redirect_hosts: z.array(host).max(maxCheckHosts, issue('at_most', { max: maxCheckHosts })),
  timeout_seconds: z
    .int()
    .min(secondsRange.min, issue('not_in_range', secondsRange))
    .max(secondsRange.max, issue('not_in_range', secondsRange)),
  /** From this response time on it counts as slow; never if 0. */
  slow_ms: z
    .int()
    .min(slowRange.min, issue('not_in_range', slowRange))
    .max(slowRange.max, issue('not_in_range', slowRange)),
  /** Whether a blank page is fine where there was one with content. */
  accepts_empty: z.boolean(),
  alerts_degraded: z.boolean(),
}

const nullable = <Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.nullable()])) as {
    [Name in keyof Shape]: z.ZodNullable<Shape[Name]>
  }

/** What a batch changes in each web. Fields left out stay as they are, null is inherited again. */
export const checkEdits = z.object(nullable(settings)).partial().meta({ id: 'CheckEdits' })
export type CheckEdits = z.output<typeof checkEdits>

/** All fields are replaced: those left out are inherited. */
export const checkChange = z
  .object({
    ...nullable(settings),
    headers: headers.nullable(),
  })
  .partial()
  .extend({
    /** The version that the change is based on; null if there was none. */
    updated_at: timestamp.nullable().optional(),
  })
  .meta({ id: 'CheckChange' })
export type CheckChange = z.output<typeof checkChange>

const shown = {
  path: z.string(),
  method: z.enum(checkMethods),
  statuses: z.string(),
  required_text: z.string(),
  forbidden_text: z.string(),
  follows_redirects: z.boolean(),
  redirect_hosts: z.array(z.string()),
  /** Names. Values are never returned. */
  headers: z.array(z.string()),
  timeout_seconds: z.int(),
  slow_ms: z.int(),
  accepts_empty: z.boolean(),
  alerts_degraded: z.boolean(),
} as const satisfies Readonly<Record<CheckField, z.ZodType>>

export const effectiveCheck = z.object(shown).meta({ id: 'EffectiveCheck' })
export type EffectiveCheck = z.output<typeof effectiveCheck>

/** Edits of a batch as they are returned. */
const { headers: _, ...withoutHeaders } = nullable(shown)
export const shownCheckEdits = z.object(withoutHeaders).partial()

const source = z.object({
  kind: z.enum(checkSources),
  /** Of the tag or the customer; null for the others. */
  name: z.string().nullable(),
})
const sources = Object.fromEntries(Object.keys(shown).map((name) => [name, source])) as Record<
  CheckField,
  typeof source
>

/** How something is checked: what is set for itself, and what applies. */
export const check = z
  .object({
    /** Null where it is inherited. */
    own: z.object(nullable(shown)),
    effective: effectiveCheck,
    sources: z.object(sources),
    /** Null if nothing was ever set. */
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Check' })
export type Check = z.output<typeof check>
