import { z } from 'zod'
import { messageFields } from '../messages/schema.ts'
import { id, timestamp } from '../text.ts'
import { deploymentKinds, deploymentStates, stepPlaces, stepStates } from './states.ts'

export const deploymentStep = z.object({
  name: z.string(),
  /** Null if the recipe names no code. */
  name_code: z.string().nullable(),
  place: z.enum(stepPlaces),
  state: z.enum(stepStates),
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  error: z.string().nullable(),
  ...messageFields('error'),
})
export type DeploymentStep = z.output<typeof deploymentStep>

/** Output of commands, or a note by Kustos. */
export const lineSources = ['out', 'err', 'note'] as const
export const logLine = z.object({
  /** From 1, without gaps. */
  number: z.int(),
  /** Index of the step that wrote it. */
  step: z.int(),
  at: timestamp,
  source: z.enum(lineSources),
  text: z.string(),
})
export type LogLine = z.output<typeof logLine>

/** A user who asked for a deployment. */
export const requester = z.object({ id, email: z.string() })

export const deploymentSummary = z
  .object({
    id,
    kind: z.enum(deploymentKinds),
    state: z.enum(deploymentStates),
    /** The FQDN of the web; for a request, the one that the web will get. */
    fqdn: z.string(),
    /** Null while the web of a request does not exist yet. */
    web_id: id.nullable(),
    /** The batch that it belongs to [+]. */
    batch_id: id.nullable(),
    node: z.string().nullable(),
    requested_by: requester.nullable(),
    created_at: timestamp,
    /** Of the last attempt, as `ended_at`. */
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    /** 1, plus the number of retries. */
    attempts: z.int(),
    error: z.string().nullable(),
    ...messageFields('error'),
    waits_for: z.string().nullable(),
    ...messageFields('waits_for'),
  })
  .meta({ id: 'DeploymentSummary' })
export type DeploymentSummary = z.output<typeof deploymentSummary>

export const deployment = deploymentSummary
  .extend({
    /** Position in the queue, from 1; null if not waiting. */
    place: z.int().nullable(),
    cancel_requested: z.boolean(),
    request: z
      .object({
        sourceRepo: z.string(),
        bnName: z.string(),
        futureDomain: z.string(),
        customer: z.string(),
      })
      .nullable(),
    /** The repository that a request creates. */
    repository: z.string().nullable(),
    steps: z.array(deploymentStep),
    /** Number of the last log line; 0 before the first. */
    last_line: z.int(),
  })
  .meta({ id: 'Deployment' })
export type Deployment = z.output<typeof deployment>
