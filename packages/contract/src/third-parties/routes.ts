import { z } from 'zod'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { text } from '../text.ts'
import { newClassification, policyChange, thirdPartyList } from './third-party.ts'

const edit: Requirement = { any: ['edit tracking policy'] }

export const thirdPartiesRoutes = {
  listThirdParties: route('GET', '/api/third-parties', {
    summary:
      'The hosts of other parties that the webs of the tracking list load something from, with the service and its category, the number of webs, and the policy of consent. `host` selects a host with its subdomains, `service` the name of a service.',
    access: { any: ['view webs'] },
    query: z.object({ host: text(253).optional(), service: text(255).optional() }),
    response: thirdPartyList,
  }),
  classifyThirdParty: route('PUT', '/api/third-parties', {
    summary:
      'Classifies a host and its subdomains for all webs, whatever the lists say; without a category, as the lists do again. What is known of webs follows at once. 422 for a public suffix such as `com`.',
    access: edit,
    body: newClassification,
  }),
  editTrackingPolicy: route('PUT', '/api/third-parties/policy', {
    summary:
      'Changes which categories need consent. What is known of webs follows at once; stored audits keep the verdicts of their day.',
    access: edit,
    body: policyChange,
  }),
} as const
