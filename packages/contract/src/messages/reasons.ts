import { dnsMessages } from './dns.ts'
import { inspectionMessages, pageMessages, pleskMessages } from './inspections.ts'
import { probeMessages } from './probe.ts'

/** Why something could not be found out. Each is stored beside its English sentence. */
export const reasonMessages = {
  ...dnsMessages,
  ...inspectionMessages,
  ...pageMessages,
  ...pleskMessages,
  ...probeMessages,
} as const
