import { z } from 'zod'
import { route } from '../route.ts'
import { externalDomain, externalDomainChange, newExternalDomain } from './external-domain.ts'

export const externalDomainsRoutes = {
  listExternalDomains: route('GET', '/api/externalDomains', {
    summary: 'Domains of customers that are registered elsewhere',
    access: { any: ['view external domains'] },
    response: z.array(externalDomain),
  }),
  createExternalDomain: route('POST', '/api/externalDomains', {
    summary:
      'Creates an external domain. 422 if it is already listed as an external or own domain, in any spelling. Its name servers are checked in the background.',
    access: { any: ['create external domains'] },
    body: newExternalDomain,
    status: 201,
    response: externalDomain,
  }),
  editExternalDomain: route('PUT', '/api/externalDomains/:id', {
    summary:
      'Updates an external domain. A new `fqdn` is checked in the background. 409 if it has changed since `updated_at`.',
    access: { any: ['edit external domains'] },
    body: externalDomainChange,
    errors: [409],
  }),
  deleteExternalDomain: route('DELETE', '/api/externalDomains/:id', {
    summary: 'Deletes an external domain',
    access: { any: ['delete external domains'] },
  }),
} as const
