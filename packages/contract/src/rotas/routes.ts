import { z } from 'zod'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { id, idParam } from '../text.ts'
import { newOverride, newRota, rota, rotaChange } from './rota.ts'

/** Users who see incidents, whom a rota may name. */
const responders = { all: ['view monitoring web statistic'] } as const satisfies Requirement
const editors = {
  all: ['view monitoring web statistic', 'edit alert channels'],
} as const satisfies Requirement

const overrideParams = z.object({ id: idParam, override: idParam })

export const rotasRoutes = {
  listRotas: route('GET', '/api/rotas', {
    summary: 'On-call rotas: who is on call now, and the shifts of the next six weeks',
    access: responders,
    response: z.object({ data: z.array(rota) }),
  }),
  createRota: route('POST', '/api/rotas', {
    summary: 'Adds a rota. 422 for users who may not see incidents.',
    access: editors,
    body: newRota,
    status: 201,
    response: z.object({ id }),
  }),
  editRota: route('PUT', '/api/rotas/:id', {
    summary: 'Changes a rota. 409 if it has changed since `updated_at`.',
    access: editors,
    body: rotaChange,
    errors: [409],
  }),
  deleteRota: route('DELETE', '/api/rotas/:id', {
    summary: 'Deletes a rota. 409 while an alert route uses it.',
    access: editors,
    errors: [409],
  }),
  addOverride: route('POST', '/api/rotas/:id/overrides', {
    summary:
      'Puts a user on call for a time, instead of those whose turn it is. Of two that overlap the newer one counts. Without `edit alert channels` only oneself (403). 409 if the rota has too many that are not over.',
    access: responders,
    body: newOverride,
    status: 201,
    response: z.object({ id }),
    errors: [409],
  }),
  deleteOverride: route('DELETE', '/api/rotas/:id/overrides/:override', {
    summary: 'Deletes an override. Without `edit alert channels` only one of oneself (403).',
    access: responders,
    params: overrideParams,
  }),
} as const
