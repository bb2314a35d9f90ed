import { z } from 'zod'
import { defineGrid, tonedOptions } from '../grid/columns.ts'
import { issue } from '../messages/message.ts'
import { label, timestamp } from '../text.ts'
import { fqdn } from '../webs/fqdn.ts'
import { policyDecisions, thirdPartyCategories } from './states.ts'

const category = z.enum(thirdPartyCategories)
const decision = z.enum(policyDecisions)

/** What staff have decided about a host and its subdomains. */
const classification = z
  .object({
    /** The host itself, or a domain that it is under. */
    host: z.string(),
    category,
    reason: z.string(),
    /** Null if it was not a user. */
    by: z.string().nullable(),
    at: timestamp,
  })
  .meta({ id: 'ThirdPartyClassification' })

/** A host that webs load something from, and one of the services that it belongs to. */
export const thirdParty = z
  .object({
    host: z.string(),
    /** The name of the service or its company; null if it is unknown. */
    entity: z.string().nullable(),
    category,
    /** Of the policy, for this category. */
    decision,
    /** Null if the category is that of the lists. */
    classification: classification.nullable(),
    /** The name behind the CNAME records of a host that belongs to a web's own domain. */
    alias: z.string().nullable(),
    /** The number of webs that load it. */
    webs: z.int(),
    /** Those of them that request it before consent, in a browser. */
    webs_before_consent: z.int(),
    /** Those of them that request it before consent or after a refusal although it needs consent. */
    webs_violating: z.int(),
    first_seen: timestamp,
    last_seen: timestamp,
  })
  .meta({ id: 'ThirdParty' })
export type ThirdParty = z.output<typeof thirdParty>

export const thirdPartyList = z
  .object({ data: z.array(thirdParty), policy: z.record(category, decision) })
  .meta({ id: 'ThirdPartyList' })
export type ThirdPartyList = z.output<typeof thirdPartyList>

export const newClassification = z
  .object({
    /** Its subdomains are meant, too. */
    host: fqdn,
    /** Null takes the classification back. */
    category: category.nullable(),
    reason: label(500).min(1, issue('reason_required')),
  })
  .meta({ id: 'NewThirdPartyClassification' })
export type NewClassification = z.output<typeof newClassification>

/** The decisions that change. */
export const policyChange = z
  .object({ decisions: z.partialRecord(category, decision) })
  .meta({ id: 'TrackingPolicyChange' })
export type PolicyChange = z.output<typeof policyChange>

export const thirdPartyColumns = defineGrid<ThirdParty>({
  name: 'thirdParties',
  primaryColumns: ['host', 'entity', 'decision'],
  columns: [
    { key: 'host', kind: 'text', isMonospaced: true, width: 240 },
    { key: 'entity', kind: 'text', width: 180 },
    {
      key: 'category',
      kind: 'select',
      width: 150,
      options: thirdPartyCategories.map((value) => ({ value })),
    },
    {
      key: 'decision',
      kind: 'status',
      width: 150,
      options: tonedOptions({ consent: 'red', review: 'orange', none: 'grey' }),
    },
    { key: 'webs', kind: 'number', width: 90 },
    { key: 'webs_before_consent', kind: 'number', width: 170 },
    { key: 'webs_violating', kind: 'number', width: 185 },
    { key: 'alias', kind: 'text', set: 'details', width: 220 },
    {
      key: 'reason',
      kind: 'text',
      set: 'details',
      width: 260,
      value: (row) => row.classification?.reason ?? null,
    },
    { key: 'first_seen', kind: 'date', set: 'details', width: 160 },
    { key: 'last_seen', kind: 'date', width: 180 },
  ],
  sets: [{ key: 'details', isVisibleByDefault: false }],
})
