import { z } from 'zod'
import { noBody, route } from '../route.ts'
import { id, idParam, text } from '../text.ts'
import { mapNodeActions, type NodeAction, nodeActions } from './actions.ts'
import { deployment, deploymentSummary, logLine } from './deployment.ts'
import { newWebRequest } from './request.ts'
import { accessOf } from './states.ts'

const byId = z.object({ id: idParam })

/** Lines of a deployment's log in one answer at most; the next call goes on after the last of them. */
export const linesAtOnce = 5000

const actionBody = z.object({ id, backup: z.boolean().optional() }).meta({ id: 'ActionRequest' })

const nodeActionRoute = <const A extends NodeAction>(action: A) =>
  route({
    method: 'POST',
    path: `/api/deployment/${action}` as const,
    summary: nodeActions[action].summary,
    access: nodeActions[action].access,
    body: actionBody,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  })

/** The route of each node action, by the action's name. */
export const nodeActionRoutes = mapNodeActions(nodeActionRoute) as {
  readonly [A in NodeAction]: ReturnType<typeof nodeActionRoute<A>>
}

/** Everything that asks for a deployment answers 204 and names it in `Location: /api/deployments/{id}`. */
export const deploymentRoutes = {
  ...nodeActionRoutes,
  newWeb: route({
    method: 'POST',
    path: '/api/deployment/newWeb',
    summary:
      'Asks for a new web, a fork or a trial-day web; 409 while a request for the same repository is under way',
    access: accessOf('newWeb'),
    body: newWebRequest,
    status: 204,
    answer: noBody,
    errors: [409, 502],
  }),
  readRequestOptions: route({
    method: 'GET',
    path: '/api/deployment/options',
    summary: 'What the request forms need to know; source= names the repository that a fork would start from',
    access: accessOf('newWeb'),
    query: z.object({ source: text(255).optional() }),
    status: 200,
    answer: z
      .object({
        /** Null where trial-day webs are not set up. */
        trial_day: z.object({ template: z.string(), customer: z.string() }).nullable(),
        /** The node that a request accepted now would go to; null where none is cloud-enabled. */
        node: z.string().nullable(),
      })
      .meta({ id: 'RequestOptions' }),
  }),
  listDeployments: route({
    method: 'GET',
    path: '/api/deployments',
    summary: 'Deployments, newest first: 1,000 at most, before= asks for older ones; web= for one web alone',
    access: { any: ['view queue'] },
    query: z.object({ web: idParam.optional(), before: idParam.optional() }),
    status: 200,
    answer: z.object({ data: z.array(deploymentSummary) }),
  }),
  readDeployment: route({
    method: 'GET',
    path: '/api/deployments/:id',
    summary: 'One deployment with its steps',
    access: { any: ['view queue'] },
    params: byId,
    status: 200,
    answer: deployment,
    errors: [404],
  }),
  readDeploymentLines: route({
    method: 'GET',
    path: '/api/deployments/:id/lines',
    summary: `The lines of its log that follow the number after=, ${linesAtOnce} at most`,
    access: { any: ['view queue'] },
    params: byId,
    query: z.object({ after: z.coerce.number().int().min(0).max(2_147_483_647).default(0) }),
    status: 200,
    answer: z.object({ data: z.array(logLine) }),
    errors: [404],
  }),
  retryDeployment: route({
    method: 'POST',
    path: '/api/deployments/:id/retry',
    summary: "Goes on with the step that failed; takes the kind's own permission",
    access: { any: ['edit webs', 'create webs'] },
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
  cancelDeployment: route({
    method: 'POST',
    path: '/api/deployments/:id/cancel',
    summary: "Ends the running command, or takes a waiting one out; takes the kind's own permission",
    access: { any: ['edit webs', 'create webs'] },
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
} as const
