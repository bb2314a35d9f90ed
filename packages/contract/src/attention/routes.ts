import { z } from 'zod'
import { issue } from '../messages/message.ts'
import type { Permission, Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { id, numberParam, text, timestamp, timestampInput } from '../text.ts'
import { attentionList, attentionStates, entryId } from './entry.ts'
import { attentionAccess, attentionKinds } from './kinds.ts'

/** Whoever may see an entry of any kind. Those of the other kinds are hidden, and changing them is refused. */
const access: Requirement = {
  any: [...new Set<Permission>(Object.values(attentionAccess).flatMap((each) => each.any))],
}

const maxRows = 10_000
const params = z.object({ id: entryId })
/** `group`: also the entries of the other webs that the same outage of their node explains. */
const ofGroup = z.object({ group: z.literal('1').optional() })

const maxNoteLength = 1_000

/** What all changes have: `updated_at` as it was read, null if nobody had handled the entry yet. */
const change = {
  note: text(maxNoteLength).nullable().optional(),
  group: z.boolean().optional(),
  updated_at: timestamp.nullable().optional(),
}

export const acknowledgement = z.object(change).meta({ id: 'AttentionAcknowledgement' })
export const assignment = z.object({ user: id, ...change }).meta({ id: 'AttentionAssignment' })
export const snooze = z
  .object({ until: timestampInput(issue('time_invalid')), ...change })
  .meta({ id: 'AttentionSnooze' })

/** 409 if the entry is over in the meantime, or someone else has handled it; the message says who. */
const refusals = [409] as const

export const attentionRoutes = {
  listAttention: route('GET', '/api/attention', {
    summary:
      'What needs attention, of the kinds that the user may see: open entries unless `state` says otherwise, `mine=1` those that are assigned to the user. `limit` is for each kind (20 by default, at most 10,000); webs that one outage explains count as one.',
    access,
    query: z.object({
      kind: z.enum(attentionKinds).optional(),
      state: z.enum(attentionStates).optional(),
      mine: z.literal('1').optional(),
      customer: text(255).optional(),
      limit: numberParam(
        /^[1-9]\d{0,4}$/,
        maxRows,
        issue('not_in_range', { min: 1, max: maxRows }),
      ).optional(),
    }),
    response: attentionList,
  }),
  listAssignees: route('GET', '/api/attention/assignees', {
    summary: 'The users whom entries of a kind can be assigned to',
    access,
    query: z.object({ kind: z.enum(attentionKinds) }),
    response: z.object({ data: z.array(z.object({ id, name: z.string(), email: z.string() })) }),
  }),
  acknowledgeEntry: route('PUT', '/api/attention/:id/acknowledge', {
    summary: 'Acknowledges an entry, with an optional note',
    access,
    params,
    body: acknowledgement,
    errors: refusals,
  }),
  withdrawAcknowledgement: route('DELETE', '/api/attention/:id/acknowledge', {
    summary: 'Withdraws the acknowledgement of an entry',
    access,
    params,
    query: ofGroup,
    errors: refusals,
  }),
  assignEntry: route('PUT', '/api/attention/:id/assign', {
    summary: 'Assigns an entry to a user who may see it',
    access,
    params,
    body: assignment,
    errors: refusals,
  }),
  unassignEntry: route('DELETE', '/api/attention/:id/assign', {
    summary: 'Assigns an entry to nobody',
    access,
    params,
    query: ofGroup,
    errors: refusals,
  }),
  snoozeEntry: route('PUT', '/api/attention/:id/snooze', {
    summary: 'Hides an entry until a time, when it is open again',
    access,
    params,
    body: snooze,
    errors: refusals,
  }),
  endSnooze: route('DELETE', '/api/attention/:id/snooze', {
    summary: 'Ends the snooze of an entry',
    access,
    params,
    query: ofGroup,
    errors: refusals,
  }),
} as const
