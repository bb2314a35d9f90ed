import { z } from 'zod'
import { gridLanguages } from '../grid/columns.ts'
import { file, noBody, route } from '../route.ts'
import { idParam } from '../text.ts'
import { category, newWeb, node, web, webChange } from './web.ts'

/** The list's answer: the webs, and what its filters and forms offer. */
export const webList = z
  .object({
    data: z.array(web),
    nodes: z.array(node),
    categories: z.array(category),
    /** What `isListed` leaves webs out by; empty for none [+]. */
    internal_marker: z.string(),
  })
  .meta({ id: 'WebList' })
export type WebList = z.output<typeof webList>

const byId = z.object({ id: idParam })

/** A grid's address (`gridStateToQuery`), of which exports take what filters, sorts and shows columns. */
const gridAddress = z.looseObject({
  lang: z
    .enum(gridLanguages)
    .optional()
    .meta({ description: 'The language of the labels, which search and sort go by' }),
})

export const websRoutes = {
  listWebs: route({
    method: 'GET',
    path: '/api/webs',
    summary: 'Every web that is not deleted; with deleted=1, every web that is (for those who may restore)',
    access: { any: ['view webs'] },
    query: z.object({ deleted: z.literal('1').optional() }),
    status: 200,
    answer: webList,
  }),
  exportWebs: route({
    method: 'GET',
    path: '/api/webs/export',
    summary: 'The web list as .xlsx; takes the query of the list screen',
    access: { any: ['view webs'] },
    query: gridAddress,
    status: 200,
    answer: file,
    errors: [429],
  }),
  exportTracking: route({
    method: 'GET',
    path: '/api/webs/exportTracking',
    summary: 'The tracking list as .xlsx; takes the query of the tracking screen',
    access: { any: ['view webs'] },
    query: gridAddress,
    status: 200,
    answer: file,
    errors: [429],
  }),
  readWeb: route({
    method: 'GET',
    path: '/api/webs/:id',
    summary: 'One web',
    access: { any: ['edit webs', 'view webs'] },
    params: byId,
    status: 200,
    answer: web,
    errors: [404],
  }),
  createWeb: route({
    method: 'POST',
    path: '/api/webs',
    summary: 'Adds a web',
    access: { any: ['create webs'] },
    body: newWeb,
    status: 201,
    answer: web,
  }),
  editWeb: route({
    method: 'PUT',
    path: '/api/webs/:id',
    summary: 'Changes a web; 409 where it has changed since updated_at',
    access: { any: ['edit webs'] },
    params: byId,
    body: webChange,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
  deleteWeb: route({
    method: 'DELETE',
    path: '/api/webs/:id',
    summary: 'Deletes a web; it can be restored',
    access: { any: ['delete webs'] },
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404],
  }),
  restoreWeb: route({
    method: 'PUT',
    path: '/api/webs/:id/restore',
    summary: 'Restores a deleted web; 409 if its fqdn has been taken since',
    access: { any: ['restore webs'] },
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
  refreshWeb: route({
    method: 'POST',
    path: '/api/request/refreshWeb/:id',
    summary:
      'Asks for a look at Plesk, DNS, certificate, answer and framework of a web, which Location names; 409 while one is under way',
    access: { any: ['edit webs'] },
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
  listCategories: route({
    method: 'GET',
    path: '/api/categories',
    summary: 'Every category',
    access: 'signed-in',
    status: 200,
    answer: z.array(category),
  }),
} as const
