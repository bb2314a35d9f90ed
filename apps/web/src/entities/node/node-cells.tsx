import { nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { signedInUser } from '../../platform/session.ts'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { nodePath } from './paths.ts'

const { access } = nodesRoutes.readNodeOverview

/** The node's name in a list, which links to its page if the user may see it. */
export const nodeCells: Cells<{ readonly node: string | null }> = {
  node: ({ node }) =>
    can(signedInUser(), access) && node ? <GridLink to={nodePath(node)}>{node}</GridLink> : null,
}
