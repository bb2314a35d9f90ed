import { z } from 'zod'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { id } from '../text.ts'
import {
  alertPreview,
  alertPreviewRequest,
  alertRoute,
  alertRouteChange,
  alertRouteOrder,
  newAlertRoute,
} from './alert-route.ts'

const readers = { all: ['view monitoring web statistic'] } as const satisfies Requirement
const editors = {
  all: ['view monitoring web statistic', 'edit alert channels'],
} as const satisfies Requirement

export const alertRoutesRoutes = {
  listAlertRoutes: route('GET', '/api/alert-routes', {
    summary:
      'Rules that say who is alerted, in the order in which they are evaluated. `customer` returns the active ones that can apply to a customer or one of its webs.',
    access: readers,
    query: z.object({ customer: z.string().min(1).max(255).optional() }),
    response: z.object({ data: z.array(alertRoute) }),
  }),
  createAlertRoute: route('POST', '/api/alert-routes', {
    summary: 'Adds a route after all others. Without any, alerts go to the channels of a web.',
    access: editors,
    body: newAlertRoute,
    status: 201,
    response: z.object({ id }),
  }),
  editAlertRoute: route('PUT', '/api/alert-routes/:id', {
    summary:
      'Changes a route for incidents that are announced from now on. 409 if it has changed since `updated_at`.',
    access: editors,
    body: alertRouteChange,
    errors: [409],
  }),
  deleteAlertRoute: route('DELETE', '/api/alert-routes/:id', {
    summary: 'Deletes a route. Open incidents keep using it.',
    access: editors,
  }),
  orderAlertRoutes: route('PUT', '/api/alert-routes', {
    summary: 'Changes the order of all routes. 409 if there are others meanwhile.',
    access: editors,
    body: alertRouteOrder,
    errors: [409],
  }),
  previewAlert: route('POST', '/api/alert-routes/preview', {
    summary: 'Who would be alerted, and when, if nobody acknowledged it',
    access: readers,
    body: alertPreviewRequest,
    response: alertPreview,
    errors: [404],
    isPreview: true,
  }),
} as const
