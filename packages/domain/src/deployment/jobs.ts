import { deploymentKinds } from '@kustos/contract/deployment'
import { id } from '@kustos/contract/text'
import { z } from 'zod'
import { createJob, defineJob } from '../platform/jobs.ts'

/** Executes a deployment. Everything but its id is shown in the list of jobs. */
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
  createJob(runDeployment, jobIdOf(payload.deployment), payload, requestId)
