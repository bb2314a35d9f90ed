import { z } from 'zod'
import { anyOf } from '../permissions.ts'
import { route } from '../route.ts'
import { id, idParam, text, timestampInput } from '../text.ts'
import { mapNodeActions, type NodeAction, nodeActionOf, nodeActions } from './actions.ts'
import { deployment, deploymentSummary, logLine } from './deployment.ts'
import { newWebRequest } from './request.ts'
import { accessOf, deploymentKinds } from './states.ts'

export const maxLinesPerResponse = 5000
export const maxOwnDeployments = 100

const actionBody = z.object({ id, backup: z.boolean().optional() }).meta({ id: 'ActionRequest' })

const nodeActionRoute = <const A extends NodeAction>(action: A) =>
  route('POST', `/api/deployment/${action}` as const, {
    summary: nodeActions[action].summary,
    access: nodeActions[action].access,
    ...(nodeActionOf(action).overwrites && { confirmation: 'required' }),
    body: actionBody,
    errors: [404, 409],
  })

/** Those who may request a deployment of any kind. Each call also needs the permission of its kind. */
const requesters = anyOf(deploymentKinds.map(accessOf))

/** The route of each node action, by the action's name. */
export const nodeActionRoutes = mapNodeActions(nodeActionRoute) as {
  readonly [A in NodeAction]: ReturnType<typeof nodeActionRoute<A>>
}

/** Routes that request a deployment respond with 204 and `Location: /api/deployments/{id}`. */
export const deploymentRoutes = {
  ...nodeActionRoutes,
  newWeb: route('POST', '/api/deployment/newWeb', {
    summary:
      'Requests a new web, a fork or a trial-day web. 409 while a request for the same repository is waiting or running.',
    access: accessOf('newWeb'),
    body: newWebRequest,
    errors: [409, 502],
  }),
  readRequestOptions: route('GET', '/api/deployment/options', {
    summary:
      'The node and the trial-day template for new requests. `source` is the repository to fork, which can determine the node.',
    access: accessOf('newWeb'),
    query: z.object({ source: text(255).optional() }),
    response: z
      .object({
        /** Null if trial-day webs are not set up. */
        trial_day: z.object({ template: z.string(), customer: z.string() }).nullable(),
        /** The node of a request accepted now; null if none is cloud-enabled. */
        node: z.string().nullable(),
      })
      .meta({ id: 'RequestOptions' }),
  }),
  listDeployments: route('GET', '/api/deployments', {
    summary:
      'Deployments, newest first, at most 1,000. `before` (an id) returns older ones, `web` those of one web.',
    access: { any: ['view queue'] },
    query: z.object({ web: idParam.optional(), before: idParam.optional() }),
    response: z.object({ data: z.array(deploymentSummary) }),
  }),
  listOwnDeployments: route('GET', '/api/deployments/own', {
    summary: `The deployments that the user asked for: those under way, then those that have ended, newest first, at most ${maxOwnDeployments}`,
    access: requesters,
    query: z.object({ ended_after: timestampInput().optional() }),
    response: z.object({ data: z.array(deploymentSummary) }),
  }),
  readDeployment: route('GET', '/api/deployments/:id', {
    summary: 'A deployment with its steps',
    access: { any: ['view queue'] },
    response: deployment,
  }),
  readDeploymentLines: route('GET', '/api/deployments/:id/lines', {
    summary: `Log lines of a deployment with a number greater than \`after\`, at most ${maxLinesPerResponse}`,
    access: { any: ['view queue'] },
    query: z.object({ after: z.coerce.number().int().min(0).max(2_147_483_647).default(0) }),
    response: z.object({ data: z.array(logLine) }),
  }),
  retryDeployment: route('POST', '/api/deployments/:id/retry', {
    summary:
      'Retries a failed or cancelled deployment from the step where it ended. Needs the permission of its kind, and a confirmed password if it overwrites data.',
    access: requesters,
    confirmation: 'conditional',
    errors: [409],
  }),
  cancelDeployment: route('POST', '/api/deployments/:id/cancel', {
    summary: 'Cancels a waiting or running deployment. Needs the permission of its kind.',
    access: requesters,
    errors: [409],
  }),
} as const
