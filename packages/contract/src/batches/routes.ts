import { z } from 'zod'
import { nodeActionNames, nodeActionOf } from '../deployment/actions.ts'
import { anyOf, type Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { id, idParam, timestampInput } from '../text.ts'
import { batch, batchPreview, batchRequest, batchSummary } from './batch.ts'

/** Those who may run any action on webs. Each request also needs the permission of its action. */
const actors = anyOf([
  ...nodeActionNames.map((action) => nodeActionOf(action).access),
  { any: ['edit webs', 'delete webs', 'restore webs', 'plan maintenance'] },
])
/** Users without `view queue` see only the batches that they have requested. */
const readers: Requirement = { any: [...actors.any, 'view queue'] }

export const maxBatchesPerResponse = 500
export const maxOwnBatches = 100

export const batchesRoutes = {
  previewBatch: route('POST', '/api/batches/preview', {
    summary: 'What a batch would do: for how many webs it applies, and which it would skip. Changes nothing.',
    access: actors,
    isPreview: true,
    body: batchRequest,
    response: batchPreview,
  }),
  createBatch: route('POST', '/api/batches', {
    summary:
      'Runs an action on many webs. It starts with one, goes on with `parallel` at a time, and stops if more than `stop_above` percent of those started so far fail.',
    access: actors,
    confirmation: 'conditional',
    body: batchRequest,
    status: 201,
    response: z.object({ id }),
  }),
  listBatches: route('GET', '/api/batches', {
    summary: `Batches, newest first, at most ${maxBatchesPerResponse}. \`before\` (an id) returns older ones. Without \`view queue\` only those of the user.`,
    access: readers,
    query: z.object({ before: idParam.optional() }),
    response: z.object({ data: z.array(batchSummary) }),
  }),
  listOwnBatches: route('GET', '/api/batches/own', {
    summary: `The batches of the user that have ended, newest first, at most ${maxOwnBatches}`,
    access: actors,
    query: z.object({ ended_after: timestampInput().optional() }),
    response: z.object({ data: z.array(batchSummary) }),
  }),
  readBatch: route('GET', '/api/batches/:id', {
    summary: 'A batch with the result for each web',
    access: readers,
    response: batch,
  }),
  cancelBatch: route('POST', '/api/batches/:id/cancel', {
    summary: 'Starts no more webs of a batch. What is running already goes on.',
    access: actors,
    errors: [409],
  }),
  retryBatch: route('POST', '/api/batches/:id/retry', {
    summary:
      'Runs the action again for the webs of a batch that failed or were not started, and for skipped ones to which it now applies. Not for those whose deployment was retried individually and is under way or has succeeded.',
    access: actors,
    confirmation: 'conditional',
    errors: [409],
  }),
  previewRevert: route('GET', '/api/batches/:id/revert', {
    summary:
      'What taking a batch back would do: for how many webs, and which it would skip. Webs that it has not changed do not count.',
    access: actors,
    response: batchPreview,
    errors: [409],
  }),
  revertBatch: route('POST', '/api/batches/:id/revert', {
    summary:
      'Takes a batch of edits, deletions or restorations back with another batch. Webs whose fields have changed since are skipped.',
    access: actors,
    confirmation: 'conditional',
    status: 201,
    response: z.object({ id }),
    errors: [409],
  }),
} as const
