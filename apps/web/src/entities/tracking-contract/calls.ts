import { attentionRoutes } from '@kustos/contract/attention'
import { trackingContractsRoutes } from '@kustos/contract/tracking-contracts'

const { readCustomerContract, readWebContract, readTrackingDrift } = trackingContractsRoutes

/** What a change of a contract or an exception makes stale. */
export const staleRoutes = [
  readCustomerContract,
  readWebContract,
  readTrackingDrift,
  attentionRoutes.listAttention,
]
