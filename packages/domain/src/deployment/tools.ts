import type { Bitbucket } from '@kustos/clients/bitbucket'
import type { Prober } from '@kustos/clients/probe'
import type { Queues } from '@kustos/clients/queue'
import type { Runners } from '@kustos/clients/runner'
import type { NodeSecrets } from '../platform/panel-key.ts'
import type { Recipes } from './recipes.ts'

export interface DeploymentTools {
  readonly queues: Queues
  readonly recipes: Recipes
  /** The customer of trial-day webs and the repository that they are forked from; null if not configured. */
  readonly trialDay: { readonly template: string; readonly customer: string } | null
  /** Called for a job that could not be enqueued; the sweeper does it later. */
  readonly onError: (error: Error) => void
}

export interface ExecutionTools extends DeploymentTools, NodeSecrets {
  readonly bitbucket: Bitbucket | null
  readonly runners: Runners
  readonly prober: Prober
  readonly nodeConcurrency: number
}
