import { can } from '@kustos/contract/permissions'
import { type Node, type WebList, websRoutes } from '@kustos/contract/webs'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'

const { listWebs } = websRoutes
const nodesOf = ({ nodes }: WebList) => nodes

/** The nodes, which come with the list of webs; undefined until it is loaded and for users who may not see it. */
export function useNodes(): readonly Node[] | undefined {
  const enabled = can(useUser(), listWebs.access)
  return useRoute(listWebs, {}, { select: nodesOf, enabled }).data
}
