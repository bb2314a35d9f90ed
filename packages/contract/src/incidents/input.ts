import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { id, text, timestamp, timestampInput } from '../text.ts'

export const maxListedIncidents = 10_000
const maxNoteLength = 1_000
const maxCommentLength = 10_000
const maxPostMortemLength = 50_000

export const incidentAcknowledgement = z
  .object({ note: text(maxNoteLength).nullable().optional() })
  .meta({ id: 'IncidentAcknowledgement' })
/** As many as the list has at most. */
export const manyIncidents = z
  .object({ ids: z.array(id).min(1).max(maxListedIncidents) })
  .meta({ id: 'ManyIncidents' })
export const incidentSnooze = z
  .object({
    until: timestampInput(issue('time_invalid')),
    note: text(maxNoteLength).nullable().optional(),
  })
  .meta({ id: 'IncidentSnooze' })
export const incidentAssignment = z
  .object({ user: id, note: text(maxNoteLength).nullable().optional() })
  .meta({ id: 'IncidentAssignment' })
export const newIncidentComment = z
  .object({ text: text(maxCommentLength).min(1, issue('comment_required')) })
  .meta({ id: 'NewIncidentComment' })
export const postMortem = z
  .object({
    text: text(maxPostMortemLength),
    /** `updated_at` of the text that was edited, null if there was none; without it, the text is overwritten in any case. */
    updated_at: timestamp.nullable().optional(),
  })
  .meta({ id: 'PostMortem' })
export const linkedDeployment = z.object({ deployment: id.nullable() }).meta({ id: 'LinkedDeployment' })
