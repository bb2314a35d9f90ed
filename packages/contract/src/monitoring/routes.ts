import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { route } from '../route.ts'
import { dateInput, idParam, numberParam, timestampInput } from '../text.ts'
import { incidentFilters } from './incident-filters.ts'
import {
  incident,
  monitoredWeb,
  monitoredWebList,
  monitoringState,
  statistic,
  uptimeDay,
} from './monitoring.ts'

const access = { any: ['view monitoring web statistic'] } as const

/** Per response. */
const maxRows = 10_000
const limit = numberParam(/^[1-9]\d{0,4}$/, maxRows, issue('not_in_range', { min: 1, max: maxRows }))

export const maxUptimeDays = 366

const dayMs = 24 * 3600 * 1000

const uptimeQuery = z
  .object({
    web: idParam,
    begin: dateInput,
    end: dateInput,
  })
  .superRefine(({ begin, end }, context) => {
    const days = (Date.parse(end) - Date.parse(begin)) / dayMs + 1
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['end'], message })
    if (days < 1) refuse(issue('end_before_begin'))
    if (days > maxUptimeDays) refuse(issue('too_many_days', { max: maxUptimeDays }))
  })

export const monitoringRoutes = {
  listStatistics: route('GET', '/api/monitoring/webs/statistics', {
    summary:
      'Probes, newest first. `limit` defaults to 1,000 (at most 10,000); `before` (a time) returns older ones. Probes of the same time are never split, so a page may be shorter. Those of deleted webs need `restore webs`.',
    access,
    query: z.object({
      limit: limit.optional(),
      before: timestampInput().optional(),
      web: idParam.optional(),
    }),
    response: z.object({ data: z.array(statistic) }),
  }),
  listUptime: route('GET', '/api/monitoring/webs/uptime', {
    summary:
      'Daily uptime of a web from `begin` to `end` (days in Europe/Rome), starting with its first probe. Downtime is in whole seconds. A deleted web needs `restore webs`.',
    access,
    query: uptimeQuery,
    response: z.object({ data: z.array(uptimeDay) }),
    errors: [404],
  }),
  listIncidents: route('GET', '/api/monitoring/incidents', {
    summary:
      'Incidents, newest first. `limit` defaults to 1,000 (at most 10,000); `before` (an id) returns older ones, `web` those of one web, `open=1` ongoing ones, `acknowledged`, `assignee` (the id of a user), `node`, `customer` and `since` others. Those of deleted webs need `restore webs`. `/overview` lists webs that went down together as one.',
    access,
    query: z.object({
      web: idParam.optional(),
      ...incidentFilters,
      before: idParam.optional(),
      limit: limit.optional(),
    }),
    response: z.object({ data: z.array(incident) }),
  }),
  listMonitoredWebs: route('GET', '/api/monitoring/webs', {
    summary: 'The webs of the monitoring list with the result of their latest probe',
    access,
    response: monitoredWebList,
  }),
  readMonitoredWeb: route('GET', '/api/monitoring/webs/:id', {
    summary: 'An active web with the result of its latest probe, even if it is not in the monitoring list',
    access,
    response: monitoredWeb,
  }),
  readMonitoring: route('GET', '/api/monitoring/state', {
    summary: 'The number of monitored webs and of those down, and the outcome of the last round',
    access,
    response: monitoringState,
  }),
} as const
