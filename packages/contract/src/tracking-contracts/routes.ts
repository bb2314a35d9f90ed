import { z } from 'zod'
import { customerCodeParam } from '../customers/customer.ts'
import { route } from '../route.ts'
import { id, idParam } from '../text.ts'
import {
  customerContractChange,
  differenceAgreement,
  newContractException,
  webContractChange,
} from './input.ts'
import { contractDraft, customerContract, trackingDrift, webContract } from './shown.ts'

const viewCustomers = { any: ['view customers'] } as const
const editCustomers = { any: ['edit customers'] } as const
const viewWebs = { any: ['view webs'] } as const
/** What was agreed on with a customer is changed by those who edit customers, also for a single web. */
const editOfWeb = { all: ['view webs', 'edit customers'] } as const
const params = z.object({ code: customerCodeParam })

export const trackingContractsRoutes = {
  readCustomerContract: route('GET', '/api/customers/:code/contract', {
    summary:
      'What was agreed on about the tracking of a customer, and whether its webs keep it. Webs are null for users who may not see them.',
    access: viewCustomers,
    params,
    response: customerContract,
  }),
  editCustomerContract: route('PUT', '/api/customers/:code/contract', {
    summary:
      'Replaces the tracking contract of a customer and, if `overrides` is given, which needs `view webs` as well, those of all of its webs. The latest audits are judged by it at once.',
    access: editCustomers,
    params,
    body: customerContractChange,
    isLargeBody: true,
    errors: [409],
  }),
  draftContract: route('GET', '/api/customers/:code/contract/draft', {
    summary:
      'A tracking contract drafted from the latest successful audits of all webs of the customer. Nothing is stored. Fields in which webs differ become overrides.',
    access: { all: ['edit customers', 'view webs'] },
    params,
    response: contractDraft,
  }),
  readWebContract: route('GET', '/api/webs/:id/contract', {
    summary: 'The tracking contract of a web: its own fields, and those that apply with its customer’s',
    access: viewWebs,
    response: webContract,
  }),
  editWebContract: route('PUT', '/api/webs/:id/contract', {
    summary: 'Replaces the fields of a web’s tracking contract that differ from its customer’s',
    access: editOfWeb,
    body: webContractChange,
    errors: [409],
  }),
  readTrackingDrift: route('GET', '/api/webs/:id/tracking/drift', {
    summary: 'How the tracking of a web differs from its contract, and what is allowed for a time',
    access: viewWebs,
    response: trackingDrift,
  }),
  agreeToDifference: route('POST', '/api/webs/:id/tracking/agreements', {
    summary: 'Adds what a difference shows to the tracking contract of the web or its customer',
    access: editOfWeb,
    body: differenceAgreement,
    errors: [409],
  }),
  allowDifference: route('POST', '/api/webs/:id/tracking/exceptions', {
    summary: 'Allows a difference until a time, at this web or at all webs of its customer',
    access: editOfWeb,
    body: newContractException,
    status: 201,
    response: z.object({ id }),
    errors: [409],
  }),
  endException: route('DELETE', '/api/webs/:id/tracking/exceptions/:exception', {
    summary: 'Ends an exception before its time',
    access: editOfWeb,
    params: z.object({ id: idParam, exception: idParam }),
  }),
} as const
