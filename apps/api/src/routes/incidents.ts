import { incidentsRoutes } from '@kustos/contract/incidents'
import {
  acknowledgeIncident,
  acknowledgeIncidents,
  addIncidentComment,
  assignIncident,
  endIncidentSnooze,
  findDeployment,
  linkDeployment,
  listIncidentComments,
  listIncidentEntries,
  readIncident,
  readIncidentTimeline,
  snoozeIncident,
  unassignIncident,
  undoAcknowledgements,
  withdrawIncidentAcknowledgement,
  writePostMortem,
} from '@kustos/domain/incidents'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerIncidentRoutes(app: FastifyInstance, services: Services): void {
  bind(app, services, 'incidents', incidentsRoutes, {
    listIncidentEntries: async ({ query }, { context }) => ({
      data: await listIncidentEntries(context, query),
    }),
    readIncident: ({ params }, { context }) => readIncident(context, params.id),
    readIncidentTimeline: ({ params }, { context }) => readIncidentTimeline(context, params.id),
    acknowledgeIncident: ({ params, body }, { context }) => acknowledgeIncident(context, params.id, body),
    acknowledgeIncidents: ({ body }, { context }) => acknowledgeIncidents(context, body.ids),
    undoAcknowledgements: ({ body }, { context }) => undoAcknowledgements(context, body.ids),
    withdrawIncidentAcknowledgement: ({ params }, { context }) =>
      withdrawIncidentAcknowledgement(context, params.id),
    assignIncident: ({ params, body }, { context }) => assignIncident(context, params.id, body),
    unassignIncident: ({ params }, { context }) => unassignIncident(context, params.id),
    snoozeIncident: ({ params, body }, { context }) => snoozeIncident(context, params.id, body),
    endIncidentSnooze: ({ params }, { context }) => endIncidentSnooze(context, params.id),
    listIncidentComments: async ({ params }, { context }) => ({
      data: await listIncidentComments(context, params.id),
    }),
    addIncidentComment: ({ params, body }, { context }) => addIncidentComment(context, params.id, body),
    writePostMortem: ({ params, body }, { context }) => writePostMortem(context, params.id, body),
    linkDeployment: ({ params, body }, { context }) => linkDeployment(context, params.id, body),
    findDeployment: ({ params }, { context }) => findDeployment(context, params.id),
  })
}
