import { type Customer, customerColumns, customersRoutes } from '@kustos/contract/customers'
import { can } from '@kustos/contract/permissions'
import { Button } from '@mantine/core'
import { IconArrowMerge, IconBuilding, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { customerPath } from '../../entities/customer/paths.ts'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { AddCustomerDialog } from './CustomerDialogs.tsx'
import { MergeDialog } from './MergeDialog.tsx'

const { createCustomer, listCustomers, mergeCustomers } = customersRoutes

const getId = ({ id }: Customer) => id
const cells: Cells<Customer> = {
  code: ({ code }) => <GridLink to={customerPath(code)}>{code}</GridLink>,
  down: ({ down }) => (down === null || down === 0 ? null : <StatusChip tone="red" text={String(down)} />),
}

export default function CustomersScreen() {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  useRememberListUrl()
  const query = useRoute(listCustomers, {})
  const [adding, setAdding] = useState(false)
  const [merged, setMerged] = useState<Customer | null>(null)
  const add = (
    <Can access={createCustomer.access}>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
        {t('customers.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataGrid
        id="customers"
        title={t('screens.customers.title')}
        grid={customerColumns}
        query={query}
        rows={query.data}
        getRowId={getId}
        renderCell={cells}
        rowActions={(customer) => [
          {
            key: 'show',
            label: t('customers.show'),
            icon: IconBuilding,
            to: customerPath(customer.code),
          },
          can(user, mergeCustomers.access) && {
            key: 'merge',
            label: t('customers.merge.label'),
            icon: IconArrowMerge,
            run: () => setMerged(customer),
          },
        ]}
        empty={{
          icon: IconBuilding,
          title: t('customers.empty'),
          hint: t('customers.emptyHint'),
          action: add,
        }}
        toolbar={() => add}
      />
      {adding && (
        <AddCustomerDialog
          onAdded={({ code }) => void navigate(customerPath(code))}
          onClose={() => setAdding(false)}
        />
      )}
      {merged !== null && <MergeDialog code={merged.code} onClose={() => setMerged(null)} />}
    </>
  )
}
