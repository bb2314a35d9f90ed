import { customersRoutes } from '@kustos/contract/customers'
import { gridStateToQuery, initialGridState } from '@kustos/contract/grid'
import { nodesRoutes } from '@kustos/contract/nodes'
import type { Access } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'

export type TaggedList = 'webs' | 'customers' | 'nodes'

/** The lists of what carries tags. */
export const taggedLists: Readonly<Record<TaggedList, { readonly path: string; readonly access: Access }>> = {
  webs: { path: '/hosting', access: websRoutes.listWebs.access },
  customers: { path: '/customers', access: customersRoutes.listCustomers.access },
  nodes: { path: '/nodes', access: nodesRoutes.listNodes.access },
}

/** A list of what carries a tag; one without a value, such as `contract`, stands for all its values. */
export function taggedPath(list: TaggedList, tag: string): string {
  const conditions = [{ operator: 'any-of', values: [tag] }] as const
  const filters = [{ column: 'tags', join: 'all', conditions }] as const
  return `${taggedLists[list].path}?${new URLSearchParams(gridStateToQuery({ ...initialGridState, filters }))}`
}
