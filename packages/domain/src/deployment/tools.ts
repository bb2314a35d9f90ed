import type { Bitbucket } from '@kustos/clients/bitbucket'
import type { Prober } from '@kustos/clients/probe'
import type { Queues } from '@kustos/clients/queue'
import type { Runners } from '@kustos/clients/runner'
import type { Recipes } from './recipes.ts'

/** What accepting deployments takes beside the database. */
export interface DeploymentTools {
  readonly queues: Queues
  readonly recipes: Recipes
  /** The customer of trial-day webs and the repository that they are forked from; null where they are not set up. */
  readonly trialDay: { readonly template: string; readonly customer: string } | null
  /** Told of a job that could not be handed over; the sweeper does it later. */
  readonly onError: (error: Error) => void
}

/** What executing them takes. */
export interface ExecutionTools extends DeploymentTools {
  readonly bitbucket: Bitbucket | null
  readonly runners: Runners
  readonly prober: Prober
  /** Deployments at a time on each node. */
  readonly nodeConcurrency: number
}
