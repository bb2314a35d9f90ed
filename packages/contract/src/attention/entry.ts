import { z } from 'zod'
import { deploymentKinds } from '../deployment/states.ts'
import { messageFields } from '../messages/schema.ts'
import { id, timestamp } from '../text.ts'
import { evaluatedLists } from '../views/notifications.ts'
import { type AttentionKind, attentionKinds } from './kinds.ts'

/** One occurrence of something: the same thing that happens again begins at another time, and so has another id. */
export interface EntryKey {
  readonly kind: AttentionKind
  /** The id of the web, deployment, domain, node, rota or subscription to a view; 1 if there is only one of the kind. */
  readonly subject: number
  readonly since: Date
}

const entryIdPattern = new RegExp(`^(${attentionKinds.join('|')})\\.([1-9]\\d{0,8})\\.(\\d{1,14})$`)

export const entryId = z.string().regex(entryIdPattern)

export const formatEntryId = ({ kind, subject, since }: EntryKey): string =>
  `${kind}.${subject}.${since.getTime()}`

/** The inverse of `formatEntryId`. @throws Error for other texts */
export function parseEntryId(text: string): EntryKey {
  const [, kind, subject, since] = entryIdPattern.exec(text) ?? []
  if (kind === undefined) throw new Error(`${text} is not the id of an entry`)
  return { kind: kind as AttentionKind, subject: Number(subject), since: new Date(Number(since)) }
}

const person = z.object({ id, email: z.string() })

export const handlingActions = ['acknowledged', 'assigned', 'snoozed', 'reopened'] as const
export type HandlingAction = (typeof handlingActions)[number]

export const attentionEntry = z
  .object({
    id: z.string(),
    kind: z.enum(attentionKinds),
    /** When it began. */
    since: timestamp,
    /** The name of the web, domain, deployment, node, rota or view; null if there is only one of the kind. */
    subject: z.string().nullable(),
    subject_id: id,
    web_id: id.nullable(),
    customer: z.string().nullable(),
    node: z.string().nullable(),
    deployment: z.object({ id, kind: z.enum(deploymentKinds) }).nullable(),
    /** When the certificate, the domain or the support of the framework ends or has ended. */
    until: timestamp.nullable(),
    /** The unsupported framework and its version. */
    framework: z.string().nullable(),
    /** What was requested without consent: the topics of trackers, and the names or hosts of other services. */
    services: z.array(z.string()),
    /** The view that rows have entered since the user last acknowledged it, how many, and the names of the newest. */
    view: z
      .object({ id, list: z.enum(evaluatedLists), entered: z.int(), names: z.array(z.string()) })
      .nullable(),
    reason: z.string().nullable(),
    ...messageFields('reason'),
    /** Set if it belongs to an incident of several webs, which the node explains. */
    node_outage: z.object({ node_id: id, down: z.int(), monitored: z.int(), incident_id: id }).nullable(),
    /** That of a web that is down. */
    incident_id: id.nullable(),
    acknowledged_at: timestamp.nullable(),
    acknowledged_by: person.nullable(),
    assigned_to: person.nullable(),
    snoozed_until: timestamp.nullable(),
    snoozed_by: person.nullable(),
    note: z.string().nullable(),
    /** When somebody last acknowledged, assigned or snoozed it; null if nobody has. */
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'AttentionEntry' })
export type AttentionEntry = z.output<typeof attentionEntry>

export const attentionStates = ['open', 'acknowledged', 'snoozed'] as const
export type AttentionState = (typeof attentionStates)[number]

export const attentionList = z
  .object({
    /** Most urgent first. */
    data: z.array(attentionEntry),
    /** The number of visible entries in each state, and of the open ones that are assigned to the user. */
    counts: z.object({ open: z.int(), mine: z.int(), acknowledged: z.int(), snoozed: z.int() }),
    /** The number of entries that match the query, by kind, however many are listed. */
    kinds: z.partialRecord(z.enum(attentionKinds), z.int()),
    /** When the list changes although nothing happens: when a snooze ends, or an entry is due within a day; null if neither is known. */
    changes_at: timestamp.nullable(),
  })
  .meta({ id: 'AttentionList' })
export type AttentionList = z.output<typeof attentionList>
