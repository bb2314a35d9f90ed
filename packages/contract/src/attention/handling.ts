import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { composedText, id, timestamp, timestampInput } from '../text.ts'

const maxNoteLength = 1_000

/** What all changes have: `updated_at` as it was read, null if nobody had handled the entry yet. */
const change = {
  note: composedText(maxNoteLength).nullable().optional(),
  group: z.boolean().optional(),
  updated_at: timestamp.nullable().optional(),
}

export const acknowledgement = z.object(change).meta({ id: 'AttentionAcknowledgement' })
export const assignment = z.object({ user: id, ...change }).meta({ id: 'AttentionAssignment' })
export const snooze = z
  .object({ until: timestampInput(issue('time_invalid')), ...change })
  .meta({ id: 'AttentionSnooze' })
