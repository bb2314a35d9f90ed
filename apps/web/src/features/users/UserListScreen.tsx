import { type User, userColumns, usersRoutes } from '@kustos/contract/users'
import { Switch } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { useUserActions } from './use-user-actions.ts'

const { createUser, listUsers } = usersRoutes

const getId = (user: User) => user.id
const isDeleted = (user: User) => user.deleted_at !== null

const cells: Cells<User> = {
  // A deleted user's row is grey, so its link is only in the menu.
  email: ({ id, email, deleted_at: deleted }) =>
    deleted === null ? <GridLink to={`/admin/user-management/edit/${id}`}>{email}</GridLink> : null,
}

export default function UserListScreen() {
  const { t } = useTranslation()
  useRememberListUrl()
  const query = useRoute(listUsers, {})
  const { rowActions } = useUserActions()
  const [searchParams] = useSearchParams()
  const showsDeleted = searchParams.get('deleted') !== 'hidden'
  const rows = useMemo(
    () => query.data?.data.filter((user) => showsDeleted || !isDeleted(user)),
    [query.data, showsDeleted],
  )
  return (
    <DataGrid
      id="users"
      title={t('screens.admin-user-management.title')}
      grid={userColumns}
      query={query}
      rows={rows}
      getRowId={getId}
      renderCell={cells}
      rowActions={rowActions}
      isMuted={isDeleted}
      empty={{ icon: IconUsers, title: t('users.empty'), hint: t('users.emptyHint') }}
      toolbar={({ changeSearchParams }) => (
        <>
          <Switch
            label={t('users.showDeleted')}
            checked={showsDeleted}
            onChange={() => changeSearchParams({ deleted: showsDeleted ? 'hidden' : null })}
          />
          <LinkButton
            to="/admin/user-management/add"
            label={t('users.create')}
            icon={IconPlus}
            access={createUser.access}
          />
        </>
      )}
    />
  )
}
