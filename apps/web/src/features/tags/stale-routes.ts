import { customersRoutes } from '@kustos/contract/customers'
import { nodesRoutes } from '@kustos/contract/nodes'
import { tagsRoutes } from '@kustos/contract/tags'
import { websRoutes } from '@kustos/contract/webs'

/** What a change of a tag may change. */
export const staleRoutes = [
  tagsRoutes.listTags,
  websRoutes.listWebs,
  websRoutes.readWeb,
  customersRoutes.listCustomers,
  customersRoutes.readCustomer,
  nodesRoutes.listNodes,
]
