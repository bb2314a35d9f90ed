import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { route } from '../route.ts'
import { idParam, moment } from '../text.ts'
import {
  incident,
  monitoredWeb,
  monitoredWebList,
  monitoringState,
  statistic,
  uptimeDay,
} from './monitoring.ts'

const access = { any: ['view monitoring web statistic'] } as const

/** Rows of one answer. */
const mostRows = 10_000
const wrongLimit = issue('not_in_range', { min: 1, max: mostRows })
const limit = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, wrongLimit)
  .transform(Number)
  .pipe(z.int().max(mostRows, wrongLimit))
  .optional()

export const mostUptimeDays = 366

const day = 24 * 3600 * 1000

/** A range of days, both of them included. */
const uptimeQuery = z
  .object({
    web: idParam,
    begin: z.iso.date(issue('not_a_date')),
    end: z.iso.date(issue('not_a_date')),
  })
  .superRefine(({ begin, end }, context) => {
    const days = (Date.parse(end) - Date.parse(begin)) / day + 1
    if (days < 1) context.addIssue({ code: 'custom', path: ['end'], message: issue('end_before_begin') })
    if (days > mostUptimeDays)
      context.addIssue({
        code: 'custom',
        path: ['end'],
        message: issue('too_many_days', { max: mostUptimeDays }),
      })
  })

export const monitoringRoutes = {
  listStatistics: route({
    method: 'GET',
    path: '/api/monitoring/webs/statistics',
    summary:
      'Probes, newest first: 1,000 unless limit= says otherwise (10,000 at most); before= asks for older ones, and gets fewer where a page would end between probes of one moment',
    access,
    query: z.object({ limit, before: moment().optional(), web: idParam.optional() }),
    status: 200,
    answer: z.object({ data: z.array(statistic) }),
  }),
  listUptime: route({
    method: 'GET',
    path: '/api/monitoring/webs/uptime',
    summary:
      "A web's days in Europe/Rome from begin= to end=, from its first probe on; downtime in whole seconds",
    access,
    query: uptimeQuery,
    status: 200,
    answer: z.object({ data: z.array(uptimeDay) }),
    errors: [404],
  }),
  listIncidents: route({
    method: 'GET',
    path: '/api/monitoring/incidents',
    summary:
      'Incidents, newest first: 1,000 unless limit= says otherwise; web= for one web alone, open=1 for those that go on, before= (an id) for older ones',
    access,
    query: z.object({
      web: idParam.optional(),
      open: z.literal('1').optional(),
      before: idParam.optional(),
      limit,
    }),
    status: 200,
    answer: z.object({ data: z.array(incident) }),
  }),
  listMonitoredWebs: route({
    method: 'GET',
    path: '/api/monitoring/webs',
    summary: 'The webs of the monitoring list, with what their latest probe saw',
    access,
    status: 200,
    answer: monitoredWebList,
  }),
  readMonitoredWeb: route({
    method: 'GET',
    path: '/api/monitoring/webs/:id',
    summary: 'Any active web, in the monitoring list or not, with what its latest probe saw',
    access,
    params: z.object({ id: idParam }),
    status: 200,
    answer: monitoredWeb,
    errors: [404],
  }),
  readMonitoring: route({
    method: 'GET',
    path: '/api/monitoring/state',
    summary: 'How many webs are watched and down, and how the last round went',
    access,
    status: 200,
    answer: monitoringState,
  }),
} as const
