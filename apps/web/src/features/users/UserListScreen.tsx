import { type User, userColumns, usersRoutes } from '@kustos/contract/users'
import { Button, Switch } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { useRememberListAddress } from '../../platform/list-address.ts'
import { useRoute } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import { useUserActions } from './use-user-actions.tsx'

const { createUser, listUsers } = usersRoutes

const idOf = (user: User) => user.id
const emailOf = (user: User) => user.email
const isDeleted = (user: User) => user.deleted_at !== null

const cells: Readonly<Record<string, (user: User) => ReactNode>> = {
  // A deleted user's row is grey, so its link is only in the menu.
  email: ({ id, email, deleted_at: deleted }) =>
    deleted === null ? <GridLink to={`/admin/user-management/edit/${id}`}>{email}</GridLink> : null,
}
const first = ['email', 'state', 'name']

export function UserListScreen() {
  const { t } = useTranslation()
  useRememberListAddress()
  const query = useRoute(listUsers, {})
  const { rowActions } = useUserActions()
  const [address] = useSearchParams()
  const showsDeleted = address.get('deleted') !== 'hidden'
  const rows = useMemo(
    () => query.data?.data.filter((user) => showsDeleted || !isDeleted(user)),
    [query.data, showsDeleted],
  )
  return (
    <DataGrid
      id="users"
      title={t('screens.admin-user-management.title')}
      grid={userColumns}
      first={first}
      rows={rows}
      getRowId={idOf}
      getRowName={emailOf}
      renderCell={cells}
      rowActions={rowActions}
      isMuted={isDeleted}
      error={query.error}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
      empty={{ icon: IconUsers, title: t('users.empty'), hint: t('users.emptyHint') }}
      toolbar={({ changeAddress }) => (
        <>
          <Switch
            label={t('users.showDeleted')}
            checked={showsDeleted}
            onChange={({ currentTarget: { checked } }) =>
              changeAddress((asked) => {
                if (checked) asked.delete('deleted')
                else asked.set('deleted', 'hidden')
              })
            }
          />
          <Can access={createUser.access}>
            <Button component={Link} to="/admin/user-management/add" leftSection={<IconPlus size={16} />}>
              {t('users.create')}
            </Button>
          </Can>
        </>
      )}
    />
  )
}
