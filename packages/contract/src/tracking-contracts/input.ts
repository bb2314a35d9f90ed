import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { composedText, id, text, timestamp, timestampInput } from '../text.ts'
import { trackingTopics } from '../tracking.ts'
import { asciiFqdn } from '../webs/fqdn.ts'
import {
  type ContractField,
  maxContractHosts,
  maxReasonLength,
  maxTagIds,
  type TagTopic,
  tagTopics,
} from './states.ts'

const wildcard = '*.'

/** A host, or `*.example.com` for all below it. */
function toHostPattern(given: string): string | null {
  const pattern = given.trim().toLowerCase()
  const isWildcard = pattern.startsWith(wildcard)
  const ascii = asciiFqdn(isWildcard ? pattern.slice(wildcard.length) : pattern)
  return ascii === null ? null : `${isWildcard ? wildcard : ''}${ascii}`
}

const pattern = (others: readonly string[]) =>
  z
    .string()
    .max(300, issue('too_long', { max: 300 }))
    .transform((given, context) => {
      if (others.includes(given)) return given
      const host = toHostPattern(given)
      if (host === null) context.addIssue({ code: 'custom', message: issue('host_name_invalid') })
      return host ?? ''
    })

const distinct = (list: readonly string[]) => [...new Set(list)]
const patterns = (others: readonly string[]) =>
  z
    .array(pattern(others))
    .max(maxContractHosts, issue('at_most', { max: maxContractHosts }))
    .transform(distinct)
const ids = z
  .array(text(100).min(1, issue('missing')))
  .max(maxTagIds, issue('at_most', { max: maxTagIds }))
  .transform(distinct)

const tags = Object.fromEntries(tagTopics.map((topic) => [topic, ids.nullable()])) as Record<
  TagTopic,
  z.ZodNullable<typeof ids>
>

const settings = {
  consent_tool: text(60).nullable(),
  consent_tool_id: text(100).nullable(),
  consent_tool_version: text(20).nullable(),
  ...tags,
  /** Topics of tracking audits, or hosts. */
  before_consent: patterns(trackingTopics).nullable(),
  hosts: patterns([]).nullable(),
} as const satisfies Readonly<Record<ContractField, z.ZodType>>

const replaced = z.object(settings).partial()

/** All fields are replaced: those that are null or left out are inherited. */
export const webContractChange = replaced
  .extend({
    /** The version that the change is based on; null if there was none. */
    updated_at: timestamp.nullable().optional(),
  })
  .meta({ id: 'WebTrackingContractChange' })
export type WebContractChange = z.output<typeof webContractChange>

const maxOverrides = 10_000

/** `overrides` replaces those of all webs of the customer; without it they stay. */
export const customerContractChange = webContractChange
  .extend({
    overrides: z
      .array(replaced.extend({ web_id: id }))
      .max(maxOverrides, issue('at_most', { max: maxOverrides }))
      .superRefine((given, context) => {
        const ids = new Set<number>()
        for (const { web_id } of given) {
          if (ids.has(web_id))
            context.addIssue({ code: 'custom', message: issue('web_twice', { id: web_id }) })
          ids.add(web_id)
        }
      })
      .optional(),
    /** That of the draft whose overrides are given; null if no web had any. */
    overrides_updated_at: timestamp.nullable().optional(),
  })
  .meta({ id: 'CustomerTrackingContractChange' })
export type CustomerContractChange = z.output<typeof customerContractChange>

const scope = z.enum(['web', 'customer'])

/** Adds what a difference shows to the contract of the web or of its customer. */
export const differenceAgreement = z
  .object({ difference: id, scope })
  .meta({ id: 'TrackingDifferenceAgreement' })
export type DifferenceAgreement = z.output<typeof differenceAgreement>

/** Lets a difference be until a time, at the web or at all webs of its customer. */
export const newContractException = z
  .object({
    difference: id,
    scope,
    until: timestampInput(issue('time_invalid')),
    reason: composedText(maxReasonLength).min(1, issue('missing')),
  })
  .meta({ id: 'NewTrackingContractException' })
export type NewContractException = z.output<typeof newContractException>
