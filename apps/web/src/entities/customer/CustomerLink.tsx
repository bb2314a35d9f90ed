import { customersRoutes } from '@kustos/contract/customers'
import { can } from '@kustos/contract/permissions'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router-dom'
import { signedInUser, useUser } from '../../platform/session.ts'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
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

/** The same as a cell of a list. */
export const customerCells: Cells<{ readonly customer: string }> = {
  customer: ({ customer }) =>
    can(signedInUser(), access) && customer !== '' ? (
      <GridLink to={customerPath(customer)}>{customer}</GridLink>
    ) : null,
}
