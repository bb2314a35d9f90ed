import { listAttention } from '@kustos/contract/attention'
import { customersRoutes } from '@kustos/contract/customers'
import { nodesRoutes } from '@kustos/contract/nodes'
import { thirdPartiesRoutes } from '@kustos/contract/third-parties'
import { trackingRoutes } from '@kustos/contract/tracking'
import { websRoutes } from '@kustos/contract/webs'

/** What a classification and the policy may change. */
export const staleRoutes = [
  thirdPartiesRoutes.listThirdParties,
  listAttention,
  trackingRoutes.listTrackingAudits,
  websRoutes.listWebs,
  websRoutes.readWeb,
  customersRoutes.readCustomer,
  nodesRoutes.readNodeOverview,
]
