import { z } from 'zod'
import { staleHeader } from '../bitbucket.ts'
import { route } from '../route.ts'
import { email, ownDomain } from './limitis.ts'

export const limitisRoutes = {
  listOwnDomains: route('GET', '/api/limitis/domains', {
    summary: `Domains at our registrar. \`${staleHeader}\` is the age of the list in seconds while the registrar is unreachable.`,
    access: { any: ['view limitis domains'] },
    response: z.array(ownDomain),
  }),
  listEmails: route('GET', '/api/limitis/emails', {
    summary: `Mailboxes at our registrar. \`${staleHeader}\` is the age of the list in seconds while the registrar is unreachable.`,
    access: { any: ['view limitis email'] },
    response: z.array(email),
  }),
} as const
