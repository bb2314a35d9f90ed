import { z } from 'zod'
import { gridLanguages } from '../grid/columns.ts'
import { file, route, tableType } from '../route.ts'
import { category, newWeb, node, web, webChange } from './web.ts'

/** Webs, and the options of filters and forms. */
export const webList = z
  .object({
    data: z.array(web),
    nodes: z.array(node),
    categories: z.array(category),
    /** For `isListed` [+]. */
    internal_marker: z.string(),
  })
  .meta({ id: 'WebList' })
export type WebList = z.output<typeof webList>

/** Parameters of `gridStateToQuery`: exports use filters, sort and columns. */
const gridParams = z.looseObject({
  lang: z
    .enum(gridLanguages)
    .optional()
    .meta({ description: 'The language of the labels, used for searching and sorting' }),
})

export const websRoutes = {
  listWebs: route('GET', '/api/webs', {
    summary: `All webs that are not deleted. \`deleted=1\` returns the deleted ones instead and needs \`restore webs\`. Clients that accept \`${tableType}\` receive \`fields\` and \`rows\` of values instead of \`data\`; \`tracking_data\`, more than half of the list, is null in them without \`tracking=1\`.`,
    access: { any: ['view webs'] },
    query: z.object({ deleted: z.literal('1').optional(), tracking: z.literal('1').optional() }),
    response: webList,
    isConditional: true,
  }),
  exportWebs: route('GET', '/api/webs/export', {
    summary: 'The web list as .xlsx. Accepts the query of the list screen.',
    access: { any: ['view webs'] },
    query: gridParams,
    response: file,
    errors: [429],
  }),
  exportTracking: route('GET', '/api/webs/exportTracking', {
    summary: 'The tracking list as .xlsx. Accepts the query of the tracking screen.',
    access: { any: ['view webs'] },
    query: gridParams,
    response: file,
    errors: [429],
  }),
  readWeb: route('GET', '/api/webs/:id', {
    summary: 'A web',
    access: { any: ['edit webs', 'view webs'] },
    response: web,
  }),
  createWeb: route('POST', '/api/webs', {
    summary: 'Creates a web',
    access: { any: ['create webs'] },
    body: newWeb,
    status: 201,
    response: web,
  }),
  editWeb: route('PUT', '/api/webs/:id', {
    summary: 'Updates a web. 409 if it has changed since `updated_at`.',
    access: { any: ['edit webs'] },
    body: webChange,
    errors: [409],
  }),
  deleteWeb: route('DELETE', '/api/webs/:id', {
    summary: 'Deletes a web. It can be restored.',
    access: { any: ['delete webs'] },
  }),
  restoreWeb: route('PUT', '/api/webs/:id/restore', {
    summary: 'Restores a deleted web. 409 if another web has its `fqdn` or system user.',
    access: { any: ['restore webs'] },
    confirmation: 'required',
    errors: [409],
  }),
  refreshWeb: route('POST', '/api/request/refreshWeb/:id', {
    summary:
      'Requests a refresh of a web from Plesk, DNS and its page. `Location` is the refresh, or the one that is waiting or running already.',
    access: { any: ['edit webs'] },
  }),
  listCategories: route('GET', '/api/categories', {
    summary: 'All categories',
    access: 'signed-in',
    response: z.array(category),
  }),
} as const
