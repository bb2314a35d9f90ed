import { z } from 'zod'
import { issue } from '../messages/message.ts'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { numberParam, text } from '../text.ts'
import { attentionList, attentionStates } from './entry.ts'
import { attentionKinds } from './kinds.ts'

/**
 * Users who may see entries of any kind. Those of the other kinds are hidden, and changing them is refused. Repeats
 * `attentionAccess`, as a test checks, which the first load of the browser does without.
 */
export const access: Requirement = {
  any: [
    'view webs',
    'manage nodes',
    'view customers',
    'view bitbucket',
    'view external domains',
    'view limitis domains',
    'view limitis email',
    'view monitoring web statistic',
    'view queue',
    'view admin panel',
    'edit alert channels',
  ],
}

const maxRows = 10_000
/** Apart from the other routes, because the browser needs it with its first load. */
export const listAttention = route('GET', '/api/attention', {
  summary:
    'What needs attention, of the kinds that the user may see: open entries unless `state` says otherwise, `mine=1` those that are assigned to the user. `limit` is for each kind (20 by default, at most 10,000); webs that one outage explains count as one.',
  access,
  query: z.object({
    kind: z.enum(attentionKinds).optional(),
    state: z.enum([...attentionStates, 'any']).optional(),
    mine: z.literal('1').optional(),
    customer: text(255).optional(),
    /** The name of a node. */
    node: text(60).optional(),
    limit: numberParam(/^[1-9]\d{0,4}$/, maxRows, issue('not_in_range', { min: 1, max: maxRows })).optional(),
  }),
  response: attentionList,
})
