import { route } from '../route.ts'
import { domainAlerts, domainParams, domainRecords } from './records.ts'

export const domainsRoutes = {
  readDomainRecords: route('GET', '/api/domains/:fqdn/records', {
    summary:
      'The DNS records of a domain or of the host of a website with their history, when its registration expires and where that is known from, its e-mail security, and the list, webs and mailboxes of it that the user may see. 404 for domains of lists that the user may not see.',
    access: { any: ['view limitis domains', 'view external domains', 'view webs'] },
    params: domainParams,
    response: domainRecords,
  }),
  editDomainAlerts: route('PUT', '/api/domains/:fqdn/alerts', {
    summary: 'Sets the types of DNS records whose changes are not alerted for a domain',
    access: { any: ['edit external domains', 'edit webs'] },
    params: domainParams,
    body: domainAlerts,
  }),
} as const
