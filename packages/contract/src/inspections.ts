import { z } from 'zod'
import { messageFields, messageSchema } from './messages/schema.ts'
import { route } from './route.ts'
import { id, timestamp } from './text.ts'

/** The inspections of webs. */
export const webInspectionKinds = ['refresh', 'tracking'] as const
export type WebInspectionKind = (typeof webInspectionKinds)[number]

/** The inspections of nodes. */
export const nodeInspectionKinds = ['connection', 'discovery'] as const
export type NodeInspectionKind = (typeof nodeInspectionKinds)[number]

export const inspectionKinds = [...webInspectionKinds, ...nodeInspectionKinds] as const
export type InspectionKind = WebInspectionKind | NodeInspectionKind

/** Why an inspection was scheduled: to confirm that a web's tracking differs from its contract. */
export const inspectionReasons = ['confirm_drift'] as const
export type InspectionReason = (typeof inspectionReasons)[number]

/** `partial` if some facts could not be read. */
export const inspectionStates = ['waiting', 'running', 'succeeded', 'partial', 'failed'] as const
export type InspectionState = (typeof inspectionStates)[number]

/** Problems in English, and as messages; rows of older releases have no codes. */
export const problemFields = { problems: z.array(z.string()), problem_codes: z.array(messageSchema) }

/** The panel's API, signing in over SSH, and Plesk's command line there. */
export const connectionChecks = ['panel', 'ssh', 'plesk'] as const
export type ConnectionCheck = (typeof connectionChecks)[number]

export const connection = z
  .object({
    checks: z.array(
      z.object({
        check: z.enum(connectionChecks),
        /** Null if an earlier check had to succeed first. */
        ok: z.boolean().nullable(),
        /** The finding, such as a version. */
        found: z.string().nullable(),
        problem: z.string().nullable(),
        ...messageFields('problem'),
      }),
    ),
    /** The key that the node presents, in the format of OpenSSH; null if it could not be read. */
    host_key: z.string().nullable(),
    /** As `ssh-keygen -l` prints it. */
    host_key_fingerprint: z.string().nullable(),
  })
  .meta({ id: 'Connection' })
export type Connection = z.output<typeof connection>

export const inspection = z
  .object({
    id,
    /** Null if a node is inspected. */
    web_id: id.nullable(),
    /** Null if a web is inspected. */
    node_id: id.nullable(),
    kind: z.enum(inspectionKinds),
    state: z.enum(inspectionStates),
    /** Null if scheduled. */
    requested_by: z.object({ id, email: z.string() }).nullable(),
    /** Null for those that users request, and for regular ones. */
    reason: z.enum(inspectionReasons).nullable(),
    ...problemFields,
    /** The result of a node's connection test that has ended; otherwise null. */
    connection: connection.nullable(),
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
    /** Null if it has never been seen. */
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
    summary: 'The state of a refresh, a tracking audit or a test of a node',
    access: { any: ['edit webs', 'view webs', 'manage nodes'] },
    response: inspection,
  }),
  listWebFacts: route('GET', '/api/webs/:id/facts', {
    summary: 'When each fact of a web was last seen. Facts that were never checked are left out.',
    access: { any: ['edit webs', 'view webs'] },
    response: z.object({ data: z.array(webFact) }),
  }),
} as const
