import { z } from 'zod'
import { route } from './route.ts'
import { id, idParam, time } from './text.ts'

/** What can be looked at anew of a web, on demand and on the schedule. */
export const inspectionKinds = ['refresh', 'tracking'] as const
export type InspectionKind = (typeof inspectionKinds)[number]

/** partial: some of it could not be learnt. */
export const inspectionStates = ['waiting', 'running', 'succeeded', 'partial', 'failed'] as const
export type InspectionState = (typeof inspectionStates)[number]

/** One look at a web. */
export const inspection = z
  .object({
    id,
    web_id: id,
    kind: z.enum(inspectionKinds),
    state: z.enum(inspectionStates),
    /** Null for what the schedule asked for. */
    requested_by: z.object({ id, email: z.string() }).nullable(),
    /** What could not be learnt, and why, in sentences. */
    problems: z.array(z.string()),
    created_at: time,
    started_at: time.nullable(),
    ended_at: time.nullable(),
  })
  .meta({ id: 'Inspection' })
export type Inspection = z.output<typeof inspection>

/** What is learnt of a web from outside, each on its own. */
export const factNames = ['plesk', 'dns', 'certificate', 'http', 'framework', 'tracking'] as const
export type FactName = (typeof factNames)[number]

/** When a fact of a web was seen last. */
export const webFact = z
  .object({
    fact: z.enum(factNames),
    /** Null where it never was. */
    seen_at: time.nullable(),
    tried_at: time,
    /**
     * What the last try could not learn and why, or what it learnt in place of a value, as that a web does not answer;
     * null where there is nothing to say.
     */
    error: z.string().nullable(),
  })
  .meta({ id: 'WebFact' })
export type WebFact = z.output<typeof webFact>

const byId = z.object({ id: idParam })

/** Everything that asks for an inspection answers 204 and names it in `Location: /api/inspections/{id}`. */
export const inspectionRoutes = {
  readInspection: route({
    method: 'GET',
    path: '/api/inspections/:id',
    summary: 'How a look at a web goes',
    access: { any: ['edit webs', 'view webs'] },
    params: byId,
    status: 200,
    answer: inspection,
    errors: [404],
  }),
  listWebFacts: route({
    method: 'GET',
    path: '/api/webs/:id/facts',
    summary: 'When each fact of a web was seen last; facts that nobody ever looked for are left out',
    access: { any: ['edit webs', 'view webs'] },
    params: byId,
    status: 200,
    answer: z.object({ data: z.array(webFact) }),
    errors: [404],
  }),
} as const
