import { z } from 'zod'
import { staleHeader } from '../bitbucket.ts'
import { route } from '../route.ts'
import { email, ownDomain } from './limitis.ts'

export const limitisRoutes = {
  listOwnDomains: route({
    method: 'GET',
    path: '/api/limitis/domains',
    summary: `Domains at our registrar; ${staleHeader} says how old the list is while the registrar is away`,
    access: { any: ['view limitis domains'] },
    status: 200,
    answer: z.array(ownDomain),
  }),
  listEmails: route({
    method: 'GET',
    path: '/api/limitis/emails',
    summary: `Mailboxes at our registrar; ${staleHeader} says how old the list is while the registrar is away`,
    access: { any: ['view limitis email'] },
    status: 200,
    answer: z.array(email),
  }),
} as const
