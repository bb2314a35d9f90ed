import { deploymentMessages } from './deployment.ts'
import { dnsMessages } from './dns.ts'
import { inspectionMessages, pageMessages, pleskMessages } from './inspections.ts'
import { probeMessages } from './probe.ts'
import { bitbucketMessages, runnerMessages } from './services.ts'

/** Messages that are stored beside their English sentences. */
export const reasonMessages = {
  ...deploymentMessages,
  ...dnsMessages,
  ...inspectionMessages,
  ...pageMessages,
  ...pleskMessages,
  ...probeMessages,
  ...bitbucketMessages,
  ...runnerMessages,
} as const
