import { z } from 'zod'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { timeline, timelineQuery, timelineWeeks } from '../timeline.ts'
import { discovery, takenOver, takeover } from './discovery.ts'
import { newNode, nodeChange, nodeDetails } from './node.ts'
import { nodeOverview } from './overview.ts'

const access = { any: ['manage nodes'] } as const
const confirmation = 'required'
/**
 * Users who see webs see on which node each of them is, and so what else is on it. How a node is reached, what it runs and what
 * it has besides the webs is for those who manage nodes.
 */
const viewers: Requirement = { any: ['manage nodes', 'view webs'] }
const byName = z.object({
  name: z
    .string()
    .min(1)
    .max(60)
    .refine((name) => !name.includes('\u0000')),
})

export const nodesRoutes = {
  listNodes: route('GET', '/api/nodes', {
    summary: 'All nodes with how they are reached. Keys of panels are not included.',
    access,
    response: z.array(nodeDetails),
  }),
  readNodeOverview: route('GET', '/api/nodes/by-name/:name/overview', {
    summary:
      'A node with its webs, their uptime, its software, its drift and its deployments. Parts that the user may not see are null.',
    access: viewers,
    params: byName,
    response: nodeOverview,
  }),
  readNodeTimeline: route('GET', '/api/nodes/by-name/:name/timeline', {
    summary: `Deployments, incidents and changes of a node, newest first. \`weeks\` defaults to ${timelineWeeks.default}. Kinds that the user may not see are left out.`,
    access: viewers,
    params: byName,
    query: timelineQuery,
    response: timeline,
  }),
  createNode: route('POST', '/api/nodes', {
    summary: 'Adds a node',
    access,
    confirmation,
    body: newNode,
    status: 201,
    response: nodeDetails,
  }),
  editNode: route('PUT', '/api/nodes/:id', {
    summary:
      'Updates a node. Without `plesk_key` the stored one stays, unless the panel, its port or its certificate changes: then it has to be given again. Null removes it.',
    access,
    confirmation,
    body: nodeChange,
    errors: [409],
  }),
  deleteNode: route('DELETE', '/api/nodes/:id', {
    summary: 'Deletes a node. 409 while webs or deployments belong to it.',
    access,
    confirmation,
    errors: [409],
  }),
  testNode: route('POST', '/api/nodes/:id/test', {
    summary: 'Tests how a node is reached. `Location` is the inspection that has the result.',
    access,
  }),
  readDiscovery: route('GET', '/api/nodes/:id/discovery', {
    summary:
      'The domains that a node had when it was last read, compared with the webs: what differs, before and after',
    access,
    response: discovery,
  }),
  runDiscovery: route('POST', '/api/nodes/:id/discovery', {
    summary: 'Reads the domains of a node. `Location` is the inspection. Nothing is changed.',
    access,
  }),
  takeOverWebs: route('PUT', '/api/nodes/:id/discovery', {
    summary:
      'Adds new domains of a node as webs, updates the facts of changed ones and accepts their PHP versions and databases. Needs `create webs`, too.',
    access,
    body: takeover,
    response: takenOver,
    errors: [409],
  }),
} as const
