import { id } from '@kustos/contract/text'
import { z } from 'zod'
import { createJob, defineJob } from '../platform/jobs.ts'

export const testChannelJob = defineJob({
  queue: 'notification',
  name: 'testChannel',
  payload: z.object({ test: id }),
})

export const channelTestJob = (test: number) => createJob(testChannelJob, `channel-test-${test}`, { test })
