import { z } from 'zod'
import { noBody, route } from '../route.ts'
import { idParam } from '../text.ts'
import { externalDomain, externalDomainChange, newExternalDomain } from './external-domain.ts'

const byId = z.object({ id: idParam })

export const externalDomainsRoutes = {
  listExternalDomains: route({
    method: 'GET',
    path: '/api/externalDomains',
    summary: 'Domains of customers that lie elsewhere than at our registrar',
    access: { any: ['view external domains'] },
    status: 200,
    answer: z.array(externalDomain),
  }),
  createExternalDomain: route({
    method: 'POST',
    path: '/api/externalDomains',
    summary:
      'Adds a domain; 422 with error where it is listed already, in any spelling, as an external or an own one. Name servers are asked about it in the background',
    access: { any: ['create external domains'] },
    body: newExternalDomain,
    status: 201,
    answer: externalDomain,
  }),
  editExternalDomain: route({
    method: 'PUT',
    path: '/api/externalDomains/:id',
    summary:
      'Changes a domain; a new fqdn is checked in the background. 409 where it has changed since updated_at',
    access: { any: ['edit external domains'] },
    params: byId,
    body: externalDomainChange,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
  deleteExternalDomain: route({
    method: 'DELETE',
    path: '/api/externalDomains/:id',
    summary: 'Removes a domain from the list',
    access: { any: ['delete external domains'] },
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404],
  }),
} as const
