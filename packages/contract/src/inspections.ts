import { z } from 'zod'
import { messageFields, messageSchema } from './messages/schema.ts'
import { route } from './route.ts'
import { id, timestamp } from './text.ts'

export const inspectionKinds = ['refresh', 'tracking'] as const
export type InspectionKind = (typeof inspectionKinds)[number]

/** `partial` if some facts could not be read. */
export const inspectionStates = ['waiting', 'running', 'succeeded', 'partial', 'failed'] as const
export type InspectionState = (typeof inspectionStates)[number]

/** Problems in English, and as messages; rows of older releases have no codes. */
export const problemFields = { problems: z.array(z.string()), problem_codes: z.array(messageSchema) }

export const inspection = z
  .object({
    id,
    web_id: id,
    kind: z.enum(inspectionKinds),
    state: z.enum(inspectionStates),
    /** Null if scheduled. */
    requested_by: z.object({ id, email: z.string() }).nullable(),
    ...problemFields,
    created_at: timestamp,
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'Inspection' })
export type Inspection = z.output<typeof inspection>

export const factNames = ['plesk', 'dns', 'certificate', 'http', 'framework', 'tracking'] as const
export type FactName = (typeof factNames)[number]

export const webFact = z
  .object({
    fact: z.enum(factNames),
    /** Null if never. */
    seen_at: timestamp.nullable(),
    tried_at: timestamp,
    /** Why the last attempt failed, or a remark, such as that the web does not respond. */
    error: z.string().nullable(),
    ...messageFields('error'),
  })
  .meta({ id: 'WebFact' })
export type WebFact = z.output<typeof webFact>

/** Routes that request an inspection respond with 204 and `Location: /api/inspections/{id}`. */
export const inspectionRoutes = {
  readInspection: route('GET', '/api/inspections/:id', {
    summary: 'The state of a refresh or a tracking audit',
    access: { any: ['edit webs', 'view webs'] },
    response: inspection,
  }),
  listWebFacts: route('GET', '/api/webs/:id/facts', {
    summary: 'When each fact of a web was last seen. Facts that were never checked are left out.',
    access: { any: ['edit webs', 'view webs'] },
    response: z.object({ data: z.array(webFact) }),
  }),
} as const
