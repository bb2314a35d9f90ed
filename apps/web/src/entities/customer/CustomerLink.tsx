import { customersRoutes } from '@kustos/contract/customers'
import { can } from '@kustos/contract/permissions'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { customerPath } from './paths.ts'

const { access } = customersRoutes.readCustomer

/** The customer's code, which links to its page if the user may see it. */
export function CustomerLink({ code }: { readonly code: string }) {
  return can(useUser(), access) && code !== '' ? (
    <Anchor component={Link} to={customerPath(code)} inherit>
      {code}
    </Anchor>
  ) : (
    code
  )
}
