import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { incidentFilters } from '../monitoring/incident-filters.ts'
import { route } from '../route.ts'
import { numberParam } from '../text.ts'
import { incidentComment, incidentDetails, incidentEntry } from './incident.ts'
import {
  incidentAcknowledgement,
  incidentAssignment,
  incidentSnooze,
  linkedDeployment,
  manyIncidents,
  maxListedIncidents,
  newIncidentComment,
  postMortem,
} from './input.ts'
import { incidentTimeline } from './timeline.ts'

const access = { any: ['view monitoring web statistic'] } as const

/** 409 if it has ended, or someone else has acknowledged it; the message says who. */
const refusals = [404, 409] as const

/** Incidents of deleted webs are found only by users who may restore webs. */
export const incidentsRoutes = {
  listIncidentEntries: route('GET', '/api/monitoring/incidents/overview', {
    summary:
      'Incidents as one list, in which webs that went down together are one entry: open ones first, oldest first, then ended ones, latest first. `limit` is for each of the two (500 by default, at most 10,000).',
    access,
    query: z.object({
      ...incidentFilters,
      limit: numberParam(
        /^[1-9]\d{0,4}$/,
        maxListedIncidents,
        issue('not_in_range', { min: 1, max: maxListedIncidents }),
      ).optional(),
    }),
    response: z.object({ data: z.array(incidentEntry) }),
  }),
  readIncident: route('GET', '/api/monitoring/incidents/:id', {
    summary: 'An incident with its members, the deployment that preceded it and its post-mortem',
    access,
    response: incidentDetails,
  }),
  readIncidentTimeline: route('GET', '/api/monitoring/incidents/:id/timeline', {
    summary:
      'Probes, alerts, deployments and changes from an hour before an incident until an hour after it, of the kinds that the user may see',
    access,
    response: incidentTimeline,
  }),
  acknowledgeIncident: route('PUT', '/api/monitoring/incidents/:id/acknowledge', {
    summary: 'Acknowledges an open incident, with an optional note, and so its entry in the attention list',
    access,
    body: incidentAcknowledgement,
    errors: refusals,
  }),
  acknowledgeIncidents: route('PUT', '/api/monitoring/incidents/acknowledge', {
    summary:
      'Acknowledges all of these incidents that are open and that nobody has acknowledged. 409 if none of them is.',
    access,
    body: manyIncidents,
    errors: refusals,
  }),
  undoAcknowledgements: route('PUT', '/api/monitoring/incidents/undo-acknowledge', {
    summary:
      'Withdraws what the user last acknowledged of these incidents, as far as they are open, to undo `acknowledgeIncidents`',
    access,
    body: manyIncidents,
    errors: refusals,
  }),
  withdrawIncidentAcknowledgement: route('DELETE', '/api/monitoring/incidents/:id/acknowledge', {
    summary: 'Withdraws the acknowledgement of an open incident',
    access,
    errors: refusals,
  }),
  assignIncident: route('PUT', '/api/monitoring/incidents/:id/assign', {
    summary: 'Assigns an open incident to a user who may see it',
    access,
    body: incidentAssignment,
    errors: refusals,
  }),
  unassignIncident: route('DELETE', '/api/monitoring/incidents/:id/assign', {
    summary: 'Assigns an open incident to nobody',
    access,
    errors: refusals,
  }),
  snoozeIncident: route('PUT', '/api/monitoring/incidents/:id/snooze', {
    summary: 'Snoozes an open incident until a time, and so its entry in the attention list',
    access,
    body: incidentSnooze,
    errors: refusals,
  }),
  endIncidentSnooze: route('DELETE', '/api/monitoring/incidents/:id/snooze', {
    summary: 'Ends the snooze of an open incident',
    access,
    errors: refusals,
  }),
  listIncidentComments: route('GET', '/api/monitoring/incidents/:id/comments', {
    summary: 'The comments on an incident and on the outage that it belongs to, oldest first',
    access,
    response: z.object({ data: z.array(incidentComment) }),
  }),
  addIncidentComment: route('POST', '/api/monitoring/incidents/:id/comments', {
    summary: 'Comments on an incident, also on one that has ended',
    access,
    body: newIncidentComment,
    response: incidentComment,
    status: 201,
  }),
  writePostMortem: route('PUT', '/api/monitoring/incidents/:id/post-mortem', {
    summary: 'Writes the post-mortem of an incident. 409 if it has changed since `updated_at`.',
    access: { all: ['view monitoring web statistic', 'edit webs'] },
    body: postMortem,
    errors: refusals,
  }),
  linkDeployment: route('PUT', '/api/monitoring/incidents/:id/deployment', {
    summary: 'Links the deployment of its web that preceded an incident, or with null none',
    access: { all: ['view monitoring web statistic', 'view queue'] },
    body: linkedDeployment,
    errors: [404],
  }),
  findDeployment: route('DELETE', '/api/monitoring/incidents/:id/deployment', {
    summary: 'Has the deployment that preceded an incident looked up again instead of chosen',
    access: { all: ['view monitoring web statistic', 'view queue'] },
    errors: [404],
  }),
} as const
