import { customersRoutes } from '@kustos/contract/customers'
import { can } from '@kustos/contract/permissions'
import { signedInUser } from '../../platform/session.ts'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { customerPath } from './paths.ts'

const { access } = customersRoutes.readCustomer

/** The customer's code in a list, which links to its page if the user may see it. */
export const customerCells: Cells<{ readonly customer: string }> = {
  customer: ({ customer }) =>
    can(signedInUser(), access) && customer !== '' ? (
      <GridLink to={customerPath(customer)}>{customer}</GridLink>
    ) : null,
}
