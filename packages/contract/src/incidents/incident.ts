import { z } from 'zod'
import { deploymentSummary } from '../deployment/deployment.ts'
import { messageFields } from '../messages/schema.ts'
import { incidentKinds } from '../monitoring/monitoring.ts'
import { id, timestamp } from '../text.ts'

const person = z.object({ id, email: z.string() })

/** An incident of one web, or an outage: one of several webs that went down together. */
export const incidentEntry = z
  .object({
    id,
    /** Null for an outage. */
    web: z.object({ id, fqdn: z.string() }).nullable(),
    /** The outage that it is a member of. */
    outage_id: id.nullable(),
    kind: z.enum(incidentKinds),
    node: z.string().nullable(),
    customers: z.array(z.string()),
    /** The number of its webs' incidents, and of those that are open; 1 or 0 for that of one web. */
    members: z.int(),
    open_members: z.int(),
    started_at: timestamp,
    /** Null while it is open. */
    ended_at: timestamp.nullable(),
    status: z.int().nullable(),
    reason: z.string(),
    ...messageFields('reason'),
    /** When the first alert was sent. */
    alerted_at: timestamp.nullable(),
    /** As in the attention list. An open outage is acknowledged if all of its open members are. */
    acknowledged_at: timestamp.nullable(),
    acknowledged_by: person.nullable(),
    /** While it is open and snoozed, of an outage if all of its open members are. */
    snoozed_until: timestamp.nullable(),
    snoozed_by: person.nullable(),
    assigned_to: person.nullable(),
    note: z.string().nullable(),
    comments: z.int(),
  })
  .meta({ id: 'IncidentEntry' })
export type IncidentEntry = z.output<typeof incidentEntry>

export const incidentDetails = incidentEntry
  .extend({
    /** In seconds, without the time that was not monitored. */
    downtime: z.int(),
    /** How many of these seconds were in maintenance. */
    planned: z.int(),
    outage: z.object({ id, node: z.string().nullable() }).nullable(),
    /** The incidents of an outage, at most 1,000. */
    entries: z.array(incidentEntry),
    /** The one that preceded it; null if there is none or the user may not see deployments. */
    deployment: deploymentSummary.nullable(),
    /** Whether a user has linked the deployment or said that there is none. */
    is_deployment_chosen: z.boolean(),
    post_mortem: z
      .object({ text: z.string(), updated_at: timestamp, updated_by: person.nullable() })
      .nullable(),
  })
  .meta({ id: 'IncidentDetails' })
export type IncidentDetails = z.output<typeof incidentDetails>

export const incidentComment = z
  .object({
    id,
    /** The incident itself or its outage. */
    incident_id: id,
    text: z.string(),
    created_at: timestamp,
    created_by: person.nullable(),
  })
  .meta({ id: 'IncidentComment' })
export type IncidentComment = z.output<typeof incidentComment>
