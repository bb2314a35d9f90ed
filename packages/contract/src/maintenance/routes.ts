import { z } from 'zod'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { id, idParam, timestamp } from '../text.ts'
import { maintenanceStates } from './states.ts'
import { maintenanceWindow, maintenanceWindowChange, newMaintenanceWindow } from './window.ts'

/** Both see the names of webs, and so what a window covers. */
const readers: Requirement = { any: ['view webs', 'view monitoring web statistic'] }
const planners = { all: ['plan maintenance', 'view webs'] } as const satisfies Requirement

export const maxPastWindows = 1_000

export const maintenanceRoutes = {
  listWindows: route('GET', '/api/maintenance-windows', {
    summary: `Maintenance windows: those that run, then those to come, then past ones (the newest ${maxPastWindows}). \`web\` returns those that cover a web, \`customer\` those that cover a customer or one of its webs, \`node\` and \`tag\` those planned for one. Windows of webs that the user may not see are left out.`,
    access: readers,
    query: z.object({
      state: z.enum(maintenanceStates).optional(),
      web: idParam.optional(),
      node: z.string().min(1).max(60).optional(),
      customer: z.string().min(1).max(255).optional(),
      tag: z.string().min(1).max(255).optional(),
    }),
    response: z.object({ data: z.array(maintenanceWindow) }),
  }),
  listWebsInMaintenance: route('GET', '/api/webs-in-maintenance', {
    summary:
      'The webs that are in maintenance now, each with its end, whichever windows cover them. Webs that the user may not see are left out.',
    access: readers,
    query: z.object({ web: idParam.optional() }),
    response: z.object({ data: z.array(z.object({ web_id: id, until: timestamp })) }),
  }),
  planWindow: route('POST', '/api/maintenance-windows', {
    summary:
      'Plans a maintenance window. While it runs, alerts of what it covers are muted and its downtime counts as planned. 422 for webs that the user may not see.',
    access: planners,
    body: newMaintenanceWindow,
    status: 201,
    response: z.object({ id }),
  }),
  editWindow: route('PUT', '/api/maintenance-windows/:id', {
    summary:
      'Changes a window from now on. What has counted as planned so far stays so. 409 if it is over, or has changed since `updated_at`.',
    access: planners,
    body: maintenanceWindowChange,
    errors: [409],
  }),
  deleteWindow: route('DELETE', '/api/maintenance-windows/:id', {
    summary: 'Deletes a window, which ends it if it runs. What has counted as planned so far stays so.',
    access: planners,
  }),
  endWindow: route('POST', '/api/maintenance-windows/:id/end', {
    summary: 'Ends a window that runs. One that repeats takes place again. 409 if it does not run.',
    access: planners,
    errors: [409],
  }),
  endMaintenance: route('POST', '/api/webs/:id/end-maintenance', {
    summary:
      'Ends the maintenance of one web: its own windows end, those that cover others too go on for these. 409 if none runs.',
    access: planners,
    errors: [409],
  }),
} as const
