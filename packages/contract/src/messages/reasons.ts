import { attentionMessages } from './attention.ts'
import { deploymentMessages } from './deployment.ts'
import { domainMessages } from './domains.ts'
import { inspectionMessages } from './inspections.ts'
import { probeMessages } from './probe.ts'
import { serviceMessages } from './services.ts'
import { trackingContractMessages } from './tracking-contracts.ts'

/** Messages that are stored beside their English sentences. */
export const reasonMessages = {
  ...attentionMessages,
  ...deploymentMessages,
  ...domainMessages,
  ...inspectionMessages,
  ...probeMessages,
  ...serviceMessages,
  ...trackingContractMessages,
} as const
