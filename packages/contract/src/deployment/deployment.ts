import { z } from 'zod'
import { messageFields } from '../messages/schema.ts'
import { id, time } from '../text.ts'
import { deploymentKinds, deploymentStates, stepPlaces, stepStates } from './states.ts'

export const deploymentStep = z.object({
  name: z.string(),
  /** Of its name, where the recipe gives one. */
  name_code: z.string().nullable(),
  place: z.enum(stepPlaces),
  state: z.enum(stepStates),
  started_at: time.nullable(),
  ended_at: time.nullable(),
  /** Why it failed, in a sentence. */
  error: z.string().nullable(),
  ...messageFields('error'),
})
export type DeploymentStep = z.output<typeof deploymentStep>

/** `note` is of Kustos itself, the others are output of commands. */
export const lineSources = ['out', 'err', 'note'] as const
export const logLine = z.object({
  /** From 1, without gaps. */
  number: z.int(),
  /** The step that wrote it, from 0. */
  step: z.int(),
  at: time,
  source: z.enum(lineSources),
  text: z.string(),
})
export type LogLine = z.output<typeof logLine>

const requested = z.object({
  sourceRepo: z.string(),
  bnName: z.string(),
  futureDomain: z.string(),
  customer: z.string(),
})

const summary = z.object({
  id,
  kind: z.enum(deploymentKinds),
  state: z.enum(deploymentStates),
  /** The web's name; for a request the one it will have. */
  fqdn: z.string(),
  /** Null for a request whose web is not there yet. */
  web_id: id.nullable(),
  node: z.string().nullable(),
  requested_by: z.object({ id, email: z.string() }).nullable(),
  created_at: time,
  started_at: time.nullable(),
  ended_at: time.nullable(),
  /** 1, plus the number of retries. */
  attempts: z.int(),
  /** Why it failed, in a sentence for staff. */
  error: z.string().nullable(),
  ...messageFields('error'),
  waits_for: z.string().nullable(),
  ...messageFields('waits_for'),
})

export const deploymentSummary = summary.meta({ id: 'DeploymentSummary' })
export type DeploymentSummary = z.output<typeof deploymentSummary>

export const deployment = summary
  .extend({
    /** Its place among those that wait, from 1. */
    place: z.int().nullable(),
    cancel_requested: z.boolean(),
    request: requested.nullable(),
    /** The repository that a request makes. */
    repository: z.string().nullable(),
    steps: z.array(deploymentStep),
    /** The number of the last line so far; 0 before the first. */
    last_line: z.int(),
  })
  .meta({ id: 'Deployment' })
export type Deployment = z.output<typeof deployment>
