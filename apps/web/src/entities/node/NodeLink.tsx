import { nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { nodePath } from './paths.ts'

const { access } = nodesRoutes.readNodeOverview

/** The node's name, which links to its page if the user may see it. */
export function NodeLink({ name }: { readonly name: string }) {
  return can(useUser(), access) ? (
    <Anchor component={Link} to={nodePath(name)} inherit>
      {name}
    </Anchor>
  ) : (
    name
  )
}
