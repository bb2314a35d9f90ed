import { z } from 'zod'
import { deploymentKinds } from '../deployment/states.ts'
import { messageFields } from '../messages/schema.ts'
import { id, timestamp } from '../text.ts'
import { evidence } from '../tracking.ts'
import {
  type ContractField,
  contractFields,
  contractStates,
  differenceKinds,
  differenceStates,
  type TagTopic,
  tagTopics,
} from './states.ts'

const list = z.array(z.string()).nullable()
const tags = Object.fromEntries(tagTopics.map((topic) => [topic, list])) as Record<TagTopic, typeof list>

/** What was agreed on; null where nothing was, or where it is inherited. */
export const contractSettings = z
  .object({
    consent_tool: z.string().nullable(),
    consent_tool_id: z.string().nullable(),
    consent_tool_version: z.string().nullable(),
    ...tags,
    before_consent: list,
    hosts: list,
  } satisfies Readonly<Record<ContractField, z.ZodType>>)
  .meta({ id: 'TrackingContractSettings' })

/** The latest audit that was judged: when it was, and whether it read all that can hide tracking; null if there is none. */
const judgedAudit = { audited_at: timestamp.nullable(), is_complete: z.boolean().nullable() }

export const customerContract = z
  .object({
    own: contractSettings,
    /** Null if there was never a contract. */
    updated_at: timestamp.nullable(),
    /** By name; null if the user may not see webs. */
    webs: z
      .array(
        z.object({
          id,
          fqdn: z.string(),
          state: z.enum(contractStates),
          ...judgedAudit,
          /** Those that are confirmed, and those that a second audit has to confirm. */
          differences: z.int(),
          /** The fields that the web has for itself. */
          overrides: z.array(z.enum(contractFields)),
        }),
      )
      .nullable(),
  })
  .meta({ id: 'CustomerTrackingContract' })
export type CustomerContract = z.output<typeof customerContract>

export const webContract = z
  .object({
    own: contractSettings,
    /** With what is inherited from the customer. */
    effective: contractSettings,
    /** The code of the customer. */
    customer: z.string(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'WebTrackingContract' })
export type WebContract = z.output<typeof webContract>

/** A contract that the latest audits of the customer's webs keep. */
export const contractDraft = z
  .object({
    settings: contractSettings,
    /** Webs that differ from the others, with the fields in which they do. */
    overrides: z.array(z.object({ web_id: id, fqdn: z.string(), settings: contractSettings })),
    /** What webs have for themselves so far, and would have no longer, or with other values, if the draft took its place. */
    replaced: z.array(z.object({ web_id: id, fqdn: z.string(), fields: z.array(z.enum(contractFields)) })),
    /** When one of the customer's webs was last given values of its own; null if none ever was. */
    overrides_updated_at: timestamp.nullable(),
    /** How many webs it was drafted from, and how many have no successful audit. */
    audited: z.int(),
    unaudited: z.int(),
    /** Topics, otherwise names of services, or hosts that were requested without consent, which a draft does not allow, and how many webs do so. */
    left_out: z.array(z.object({ topic: z.string(), webs: z.int() })),
    /** Those that the draft allows without consent, although it is to be reviewed whether they need it. */
    to_review: z.array(z.object({ topic: z.string(), webs: z.int() })),
  })
  .meta({ id: 'TrackingContractDraft' })
export type ContractDraft = z.output<typeof contractDraft>

/** A difference between what an audit found and the contract. */
export const trackingDifference = z
  .object({
    id,
    kind: z.enum(differenceKinds),
    /** A field of the contract (`consent_tool…` or a tag), a topic of tracking audits, or a host. */
    subject: z.string(),
    ...messageFields('reason'),
    reason: z.string(),
    expected: z.array(z.string()),
    found: z.array(z.string()),
    state: z.enum(differenceStates),
    /** The audit that showed it first. */
    since: timestamp,
    audit_id: id,
    last_seen_at: timestamp,
    confirmed_at: timestamp.nullable(),
    /** Set if the latest audit no longer showed it, which another one has to confirm. */
    unseen_at: timestamp.nullable(),
    evidence: evidence.nullable(),
    /** The last deployment of the web before it, or otherwise its last change; null if there was none or the user may not see it. */
    preceded_by: z
      .object({
        at: timestamp,
        deployment: z.object({ id, kind: z.enum(deploymentKinds) }).nullable(),
        /** The id and the description of an entry of the audit log. */
        entry: z.object({ id: z.int(), description: z.string() }).nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'TrackingDifference' })
export type TrackingDifference = z.output<typeof trackingDifference>

/** A difference that is allowed until a time. */
export const contractException = z
  .object({
    id,
    scope: z.enum(['web', 'customer']),
    ...messageFields('difference'),
    difference: z.string(),
    until: timestamp,
    reason: z.string(),
    created_at: timestamp,
    created_by: z.object({ id, email: z.string() }).nullable(),
  })
  .meta({ id: 'TrackingContractException' })
export type ContractException = z.output<typeof contractException>

/** How the tracking of a web differs from its contract. */
export const trackingDrift = z
  .object({
    state: z.enum(contractStates),
    has_contract: z.boolean(),
    /** When an audit was last judged, also again by another contract. */
    judged_at: timestamp.nullable(),
    ...judgedAudit,
    /** When the audit that confirms a difference will be requested. */
    recheck_at: timestamp.nullable(),
    differences: z.array(trackingDifference),
    exceptions: z.array(contractException),
  })
  .meta({ id: 'TrackingDrift' })
export type TrackingDrift = z.output<typeof trackingDrift>
