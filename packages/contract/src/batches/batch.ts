import { z } from 'zod'
import { checkEdits, shownCheckEdits } from '../checks/check.ts'
import { requester } from '../deployment/deployment.ts'
import { issue } from '../messages/message.ts'
import { messageFields } from '../messages/schema.ts'
import { carriedTags, removedTags } from '../tags/tag.ts'
import { id, text, timestamp } from '../text.ts'
import { newWeb, web } from '../webs/index.ts'
import { type BatchAction, batchActions } from './actions.ts'
import { batchStates, batchTargetStates, maxBatchWebs } from './states.ts'
import { defaultWave, waveLimits } from './wave.ts'

const categoryIds = z.array(id).max(100).optional()
const tagList = z.array(z.string()).optional()

/** The fields that a batch can set to the same value in all webs. */
export const editedFields = {
  customer: true,
  configured_ip: true,
  framework_name: true,
  framework_version: true,
  comment: true,
  domain_state: true,
  monitoring_web_reporting_channel: true,
  monitoring_web_active: true,
} as const

/** What an edit changes in each web. Fields left out stay as they are. */
export const webEdits = newWeb
  .pick(editedFields)
  .partial()
  .extend({
    add_categories: categoryIds,
    remove_categories: categoryIds,
    /** A tag replaces the one of its name. */
    add_tags: carriedTags.optional(),
    remove_tags: removedTags.optional(),
  })
  .meta({ id: 'WebEdits' })
export type WebEdits = z.output<typeof webEdits>

/** Of webs, an empty list changes nothing; of a check it does. */
const isEmptyEdit = (field: string, edits: object) =>
  Object.values(edits).every(
    (value) => value === undefined || (field === 'edits' && Array.isArray(value) && value.length === 0),
  )

const setting = (name: keyof typeof waveLimits) =>
  z.int().min(waveLimits[name].min).max(waveLimits[name].max).default(defaultWave[name])

export const batchRequest = z
  .object({
    action: z.enum(batchActions as readonly [BatchAction, ...BatchAction[]]),
    /** Ids of webs. Each counts once. */
    webs: z
      .array(id)
      .min(1, issue('batch_empty'))
      .max(maxBatchWebs, issue('webs_too_many', { max: maxBatchWebs }))
      .optional(),
    /**
     * Instead of ids: the query of the list screen, such as `q=typo3&f.status=…`, with `deleted=1` for deleted webs. The webs that
     * match now are taken. A part that the list would ignore, such as the number of a view, is refused (422).
     */
    filter: text(8_000).optional(),
    /** For the action `edit` only. */
    edits: webEdits.optional(),
    /** For the action `changeCheck` only. */
    check: checkEdits.optional(),
    /** How many webs are worked on at a time, once the first one has succeeded. */
    parallel: setting('parallel'),
    /** The rest is not started once more than this percentage of those that were started have failed. */
    stop_above: setting('stop_above'),
  })
  .superRefine(({ action, edits, check, webs, filter }, context) => {
    if ((webs === undefined) === (filter === undefined))
      context.addIssue({ code: 'custom', path: ['webs'], message: issue('webs_or_filter') })
    const inputs = { edits: ['edit', edits], check: ['changeCheck', check] } as const
    for (const [field, [ofAction, given]] of Object.entries(inputs)) {
      const refuse = (code: 'edits_required' | 'edits_unexpected') =>
        context.addIssue({ code: 'custom', path: [field], message: issue(code) })
      if (action === ofAction && (given === undefined || isEmptyEdit(field, given))) refuse('edits_required')
      if (action !== ofAction && given !== undefined) refuse('edits_unexpected')
    }
  })
  .meta({ id: 'BatchRequest' })
export type BatchRequest = z.output<typeof batchRequest>

/** A request whose webs are known. */
export type ResolvedBatch = Omit<BatchRequest, 'webs' | 'filter'> & { readonly webs: readonly number[] }

/** What a batch would do. */
export const batchPreview = z
  .object({
    /** The number of webs that it would change or work on. */
    eligible: z.int(),
    /** The webs that it would skip, and why. */
    skipped: z.array(
      z.object({
        web_id: id,
        /** Null for an unknown web. */
        fqdn: z.string().nullable(),
        reason: z.string(),
        ...messageFields('reason'),
      }),
    ),
  })
  .meta({ id: 'BatchPreview' })
export type BatchPreview = z.output<typeof batchPreview>

export const batchSummary = z
  .object({
    id,
    action: z.enum(batchActions as readonly [BatchAction, ...BatchAction[]]),
    state: z.enum(batchStates),
    requested_by: requester.nullable(),
    parallel: z.int(),
    stop_above: z.int(),
    /**
     * Null if the action is not `edit`, for a batch that takes another one back, and for one that somebody else requested if the user
     * may not see webs.
     */
    edits: web
      .pick(editedFields)
      .partial()
      .extend({
        add_categories: categoryIds,
        remove_categories: categoryIds,
        add_tags: tagList,
        remove_tags: tagList,
      })
      .nullable(),
    /** Null if the action is not `changeCheck`, and if the user may not see the edits of such a batch. */
    check: shownCheckEdits.nullable(),
    /** The batch that it takes back. */
    reverts_batch: id.nullable(),
    /** The number of its webs, in all and in each state. */
    total: z.int(),
    counts: z.record(z.enum(batchTargetStates), z.int()),
    created_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'BatchSummary' })
export type BatchSummary = z.output<typeof batchSummary>

export const batchTarget = z
  .object({
    web_id: id,
    /** Null for a web that the user may not see, if somebody else requested the batch. */
    fqdn: z.string().nullable(),
    state: z.enum(batchTargetStates),
    deployment_id: id.nullable(),
    inspection_id: id.nullable(),
    /** Why it failed, was skipped or was not started. */
    error: z.string().nullable(),
    ...messageFields('error'),
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'BatchTarget' })
export type BatchTarget = z.output<typeof batchTarget>

export const batch = batchSummary
  .extend({
    /** When it was requested, or retried last. */
    started_at: timestamp,
    /** The number of its webs that a retry by the user would start again. */
    retryable: z.int(),
    targets: z.array(batchTarget),
  })
  .meta({ id: 'Batch' })
export type Batch = z.output<typeof batch>
