import { type AttentionList, attentionRoutes } from '@kustos/contract/attention'
import { incidentsRoutes } from '@kustos/contract/incidents'
import { type Route, urlOf } from '@kustos/contract/route'
import { expect } from 'vitest'
import { type LoggedFixtures, only } from '../logged-fixtures.ts'
import type { BuildCalls, LoggedCall } from './call.ts'

/** @param before what is done first */
const attention =
  (fixtures: LoggedFixtures, description: string, body?: object, before?: readonly [Route, object]) =>
  async (): Promise<LoggedCall> => {
    const web = await fixtures.web({ status: 0, framework_name: 'TYPO3', framework_version: '8.7' })
    const { data } = await fixtures.admin.json<AttentionList>('/api/attention?limit=1000')
    const { id, kind, since } = only(data.filter(({ web_id }) => web_id === web.id))
    if (before) await fixtures.admin.send('PUT', urlOf(before[0], { id }), before[1])
    const attributes = expect.objectContaining({ kind, since: new Date(since).toISOString() })
    const entry = { log_name: 'attention', description, subject_type: 'web', subject_id: web.id }
    return { params: { id }, body, entry: { ...entry, properties: { attributes } } }
  }
/** A change of an incident. @param before what is done first */
const incident =
  (fixtures: LoggedFixtures, description: string, body?: object, before?: readonly [Route, object]) =>
  async (): Promise<LoggedCall> => {
    const { id, deployment } = await fixtures.incident()
    const filled = (given: object) =>
      'deployment' in given && given.deployment !== null ? { deployment } : given
    if (before) await fixtures.admin.send(before[0].method, urlOf(before[0], { id }), filled(before[1]))
    const entry = { log_name: 'incidents', description, subject_type: 'incident', subject_id: id }
    return { params: { id }, body: body && filled(body), entry }
  }
/** What is done about an incident is done about its entry in the attention list. */
const handledIncident =
  (fixtures: LoggedFixtures, description: string, body?: object, before?: readonly [Route, object]) =>
  async (): Promise<LoggedCall> => {
    const { id, web } = await fixtures.incident()
    if (before) await fixtures.admin.send('PUT', urlOf(before[0], { id }), before[1])
    return {
      params: { id },
      body,
      entry: { log_name: 'attention', description, subject_type: 'web', subject_id: web },
    }
  }
const { acknowledgeEntry, assignEntry, snoozeEntry } = attentionRoutes
const snooze = { until: '2030-01-01T00:00:00Z' }

export const handlingCalls: BuildCalls = (fixtures) => ({
  'attention.acknowledgeEntry': attention(fixtures, 'acknowledged', { note: 'Seen' }),
  'attention.withdrawAcknowledgement': attention(fixtures, 'acknowledgement withdrawn', undefined, [
    acknowledgeEntry,
    {},
  ]),
  'attention.assignEntry': attention(fixtures, 'assigned', { user: fixtures.adminId }),
  'attention.unassignEntry': attention(fixtures, 'assignment withdrawn', undefined, [
    assignEntry,
    { user: fixtures.adminId },
  ]),
  'attention.snoozeEntry': attention(fixtures, 'snoozed', snooze),
  'attention.endSnooze': attention(fixtures, 'snooze ended', undefined, [snoozeEntry, snooze]),
  'incidents.acknowledgeIncident': handledIncident(fixtures, 'acknowledged', { note: 'Seen' }),
  'incidents.acknowledgeIncidents': async () => {
    const { params, entry } = await handledIncident(fixtures, 'acknowledged')()
    return { body: { ids: [params?.id] }, entry }
  },
  'incidents.undoAcknowledgements': async () => {
    const { params, entry } = await handledIncident(fixtures, 'acknowledgement withdrawn', undefined, [
      incidentsRoutes.acknowledgeIncident,
      {},
    ])()
    return { body: { ids: [params?.id] }, entry }
  },
  'incidents.withdrawIncidentAcknowledgement': handledIncident(
    fixtures,
    'acknowledgement withdrawn',
    undefined,
    [incidentsRoutes.acknowledgeIncident, {}],
  ),
  'incidents.assignIncident': handledIncident(fixtures, 'assigned', { user: fixtures.adminId }),
  'incidents.unassignIncident': handledIncident(fixtures, 'assignment withdrawn', undefined, [
    incidentsRoutes.assignIncident,
    { user: fixtures.adminId },
  ]),
  'incidents.snoozeIncident': handledIncident(fixtures, 'snoozed', snooze),
  'incidents.endIncidentSnooze': handledIncident(fixtures, 'snooze ended', undefined, [
    incidentsRoutes.snoozeIncident,
    snooze,
  ]),
  'incidents.addIncidentComment': incident(fixtures, 'commented', { text: 'Looking' }),
  'incidents.writePostMortem': incident(fixtures, 'post-mortem written', { text: 'The disk was full.' }),
  'incidents.linkDeployment': incident(fixtures, 'deployment linked', { deployment: 1 }),
  'incidents.findDeployment': incident(fixtures, 'deployment unlinked', undefined, [
    incidentsRoutes.linkDeployment,
    { deployment: 1 },
  ]),
})
