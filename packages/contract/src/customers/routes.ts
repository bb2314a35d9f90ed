import { z } from 'zod'
import { route } from '../route.ts'
import { timeline, timelineQuery, timelineWeeks } from '../timeline.ts'
import { customer, customerChange, customerCodeParam, customerMerge, newCustomer } from './customer.ts'
import { customerDetails, mergePreview } from './details.ts'

const view = { any: ['view customers'] } as const
const edit = { any: ['edit customers'] } as const
const params = z.object({ code: customerCodeParam })

export const customersRoutes = {
  listCustomers: route('GET', '/api/customers', {
    summary: 'All customers, with the numbers of what the user may see of each',
    access: view,
    response: z.array(customer),
  }),
  createCustomer: route('POST', '/api/customers', {
    summary: 'Adds a customer. Codes that webs, domains or mailboxes get are added by themselves.',
    access: edit,
    body: newCustomer,
    status: 201,
    response: customer,
  }),
  mergeCustomers: route('POST', '/api/customers/merge', {
    summary:
      'Gives everything of the customer `from` to the customer `into` and removes `from`, which stays known as a spelling of `into`',
    access: edit,
    body: customerMerge,
    errors: [404],
  }),
  readCustomer: route('GET', '/api/customers/:code', {
    summary:
      'A customer with its webs, domains and mailboxes, their uptime, and what is loaded before consent. Parts that the user may not see are null.',
    access: view,
    params,
    response: customerDetails,
  }),
  editCustomer: route('PUT', '/api/customers/:code', {
    summary: 'Updates a customer. Its code stays; to change it, merge the customer into another.',
    access: edit,
    params,
    body: customerChange,
    errors: [409],
  }),
  readTimeline: route('GET', '/api/customers/:code/timeline', {
    summary: `Deployments, incidents and changes of a customer, newest first. \`weeks\` defaults to ${timelineWeeks.default}. Kinds that the user may not see are left out.`,
    access: view,
    params,
    query: timelineQuery,
    response: timeline,
  }),
  previewMerge: route('GET', '/api/customers/:code/merge', {
    summary:
      'What merging this customer into another would change. Parts that the user may not see are null.',
    access: edit,
    params,
    response: mergePreview,
  }),
} as const
