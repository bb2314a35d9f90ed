import { deploymentKinds } from '@kustos/contract/deployment'
import { id } from '@kustos/contract/text'
import { z } from 'zod'
import { defineJob, jobOf } from '../jobs.ts'

/** Executes a deployment. What it says beside the id is for the queue's list. */
export const runDeployment = defineJob({
  queue: 'deployment',
  name: 'runDeployment',
  payload: z.object({
    deployment: id,
    kind: z.enum(deploymentKinds),
    fqdn: z.string(),
    web_id: id.nullable(),
  }),
})

export type RunDeployment = z.output<typeof runDeployment.payload>

export const jobIdOf = (deployment: number) => `deployment-${deployment}`

export const deploymentJob = (payload: RunDeployment, requestId?: string) =>
  jobOf(runDeployment, jobIdOf(payload.deployment), payload, requestId)
