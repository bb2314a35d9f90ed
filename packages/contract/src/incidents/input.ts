import { z } from 'zod'
import { acknowledgement, assignment, snooze } from '../attention/handling.ts'
import { issue } from '../messages/message.ts'
import { composedText, id, timestamp } from '../text.ts'

export const maxListedIncidents = 10_000
const maxCommentLength = 10_000
const maxPostMortemLength = 50_000

// As of their entries in the attention list.
export const incidentAcknowledgement = acknowledgement
  .pick({ note: true })
  .meta({ id: 'IncidentAcknowledgement' })
export const incidentAssignment = assignment
  .pick({ user: true, note: true })
  .meta({ id: 'IncidentAssignment' })
export const incidentSnooze = snooze.pick({ until: true, note: true }).meta({ id: 'IncidentSnooze' })
/** As many as the list has at most. */
export const manyIncidents = z
  .object({ ids: z.array(id).min(1).max(maxListedIncidents) })
  .meta({ id: 'ManyIncidents' })
export const newIncidentComment = z
  .object({ text: composedText(maxCommentLength).min(1, issue('comment_required')) })
  .meta({ id: 'NewIncidentComment' })
export const postMortem = z
  .object({
    text: composedText(maxPostMortemLength),
    /** `updated_at` of the text that was edited, null if there was none; without it, the text is overwritten in any case. */
    updated_at: timestamp.nullable().optional(),
  })
  .meta({ id: 'PostMortem' })
export const linkedDeployment = z.object({ deployment: id.nullable() }).meta({ id: 'LinkedDeployment' })
