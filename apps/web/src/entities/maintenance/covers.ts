import type { MaintenanceWindow } from '@kustos/contract/maintenance'
import { isTag } from '@kustos/contract/tags'
import type { Web } from '@kustos/contract/webs'

export type Coverage = Pick<MaintenanceWindow, 'nodes' | 'customers' | 'tags'> & {
  readonly webs: readonly { readonly id: number }[]
}

/** Whether a maintenance window covers a web: by itself, or by its node, customer or a tag. */
export const covers = (
  { webs, nodes, customers, tags }: Coverage,
  web: Pick<Web, 'id' | 'node'> & Partial<Pick<Web, 'customer' | 'tags'>>,
): boolean =>
  webs.some(({ id }) => id === web.id) ||
  (web.node !== null && nodes.includes(web.node)) ||
  (web.customer !== undefined && customers.includes(web.customer)) ||
  (web.tags?.some((tag) => tags.some((wanted) => isTag(tag, wanted))) ?? false)
