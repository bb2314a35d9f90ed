import { z } from 'zod'
import type { Requirement } from '../permissions.ts'
import { id, time } from '../text.ts'

/** What can be done to a web on its node. */
export const actions = [
  'updateWeb',
  'exportDatabase',
  'exportDatabaseKick',
  'importDatabase',
  'backupWeb',
] as const
export type Action = (typeof actions)[number]

/** What a deployment executes: an action, or a request for a new web. */
export const deploymentKinds = [...actions, 'newWeb'] as const
export type DeploymentKind = (typeof deploymentKinds)[number]

export const deploymentStates = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type DeploymentState = (typeof deploymentStates)[number]

/** Who may ask for each kind, and later retry or cancel it. */
export const accessOf = (kind: DeploymentKind): Requirement =>
  kind === 'newWeb' ? { all: ['create webs', 'view bitbucket'] } : { any: ['edit webs'] }

export const stepStates = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const
export type StepState = (typeof stepStates)[number]

/** Where a step is carried out: by Kustos itself, on the machine that it runs on, or on the web's node. */
export const stepPlaces = ['builtin', 'controller', 'node'] as const
export type StepPlace = (typeof stepPlaces)[number]

export const deploymentStep = z.object({
  name: z.string(),
  place: z.enum(stepPlaces),
  state: z.enum(stepStates),
  started_at: time.nullable(),
  ended_at: time.nullable(),
  /** Why it failed, in a sentence. */
  error: z.string().nullable(),
})
export type DeploymentStep = z.output<typeof deploymentStep>

/** `note` is what Kustos says itself, the others what the commands wrote. */
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

/** What a request for a new web said. */
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
  /** How often it was asked for: 1, and one more for each retry. */
  attempts: z.int(),
  /** Why it failed, in a sentence for staff. */
  error: z.string().nullable(),
  /** What a waiting one waits for. */
  waits_for: z.string().nullable(),
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
