import { z } from 'zod'
import { route } from '../route.ts'
import { id } from '../text.ts'
import { entryId } from './entry.ts'
import { acknowledgement, assignment, snooze } from './handling.ts'
import { attentionKinds } from './kinds.ts'
import { access, listAttention } from './list-route.ts'

const params = z.object({ id: entryId })
/** `group`: also the entries of the other webs that the same outage of their node explains. */
const ofGroup = z.object({ group: z.literal('1').optional() })

/** 409 if the entry has been resolved in the meantime, or someone else has handled it; the message says who. */
const refusals = [409] as const

export const attentionRoutes = {
  listAttention,
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
    summary:
      'Withdraws the acknowledgement of an entry. `undo=1` leaves out what others have acknowledged, and the user before this entry.',
    access,
    params,
    query: ofGroup.extend({ undo: z.literal('1').optional() }),
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
