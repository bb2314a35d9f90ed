import { z } from 'zod'
import { customerCodeParam } from '../customers/customer.ts'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { check, checkChange } from './check.ts'

const edits = {
  web: { any: ['edit webs'] },
  customer: { any: ['edit customers'] },
  tag: { any: ['edit tags'] },
} as const satisfies Readonly<Record<string, Requirement>>
const params = z.object({ code: customerCodeParam })

export const checksRoutes = {
  readWebCheck: route('GET', '/api/webs/:id/check', {
    summary:
      'How a web is checked: its own settings, those that apply, and where each comes from (the web, a tag, its customer, or the default). Values of headers are never returned. A deleted web needs `restore webs`.',
    access: { any: ['view webs', 'view monitoring web statistic'] },
    response: check,
  }),
  editWebCheck: route('PUT', '/api/webs/:id/check', {
    summary:
      'Replaces the settings of a web. Fields that are null or left out are inherited; a header without a value keeps the one that it has.',
    access: edits.web,
    body: checkChange,
    errors: [409],
  }),
  readCustomerCheck: route('GET', '/api/customers/:code/check', {
    summary: 'How the webs of a customer are checked, unless they or their tags say otherwise',
    access: { any: ['view customers'] },
    params,
    response: check,
  }),
  editCustomerCheck: route('PUT', '/api/customers/:code/check', {
    summary: 'Replaces the settings of a customer, as of a web',
    access: edits.customer,
    params,
    body: checkChange,
    errors: [409],
  }),
  readTagCheck: route('GET', '/api/tags/:id/check', {
    summary: 'How webs that carry a tag are checked, with any value, unless they say otherwise',
    access: edits.tag,
    response: check,
  }),
  editTagCheck: route('PUT', '/api/tags/:id/check', {
    summary: 'Replaces the settings of a tag, as of a web',
    access: edits.tag,
    body: checkChange,
    errors: [409],
  }),
} as const
