import { adminRole, permissions } from '@kustos/contract/permissions'
import { type Role, usersRoutes } from '@kustos/contract/users'
import { Button, Select, Skeleton, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mayGrant, missingPermissions } from '../../entities/role/grantable-roles.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { AddRoleDialog, RenameRoleDialog } from './RoleDialog.tsx'
import { RoleHead } from './RoleHead.tsx'
import { RoleMatrix } from './RoleMatrix.tsx'
import styles from './roles.module.css'
import { useRoleDrafts } from './use-role-drafts.ts'

const { createRole, listRoles } = usersRoutes

export default function RolesScreen() {
  const { t } = useTranslation()
  const query = useRoute(listRoles, {})
  const [adding, setAdding] = useState(false)
  const [shown, setShown] = useState<number>()
  const lacks = missingPermissions(useUser(), permissions).length > 0
  return (
    <>
      <PageHeader
        title={t('screens.admin-roles.title')}
        actions={
          <Can access={createRole.access}>
            <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
              {t('roles.create')}
            </Button>
          </Can>
        }
      />
      <Text c="dimmed" mb="sm">
        {t('roles.note')} {lacks && t('roles.noteBeyond')}
      </Text>
      <QueryState query={query} skeleton={<Skeleton h={560} aria-label={t('grid.loading')} role="status" />}>
        {(roles) => (
          <>
            <Matrix roles={roles} shown={shown} onShow={setShown} />
            {adding && (
              <AddRoleDialog
                roles={roles}
                onClose={() => setAdding(false)}
                onAdded={({ id }) => setShown(id)}
              />
            )}
          </>
        )}
      </QueryState>
    </>
  )
}

interface MatrixProps {
  readonly roles: readonly Role[]
  /** The id of the role that a narrow screen shows. */
  readonly shown: number | undefined
  readonly onShow: (id: number) => void
}

function Matrix({ roles, shown, onShow }: MatrixProps) {
  const { t } = useTranslation()
  const state = useRoleDrafts(roles)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [renaming, setRenaming] = useState<number>()
  const renamed = roles.find(({ id }) => id === renaming)
  const user = useUser()
  const isOpen = (role: Role) => role.name !== adminRole && mayGrant(user, role)
  const one = roles.find(({ id }) => id === shown) ?? roles.find(isOpen) ?? roles[0]
  const columns = isNarrow && one !== undefined ? [one] : roles
  return (
    <>
      {isNarrow && one !== undefined && (
        <Select
          className={styles.choice}
          label={t('roles.role')}
          data={roles.map(({ id, name }) => ({ value: id, label: name }))}
          value={one.id}
          onChange={(id) => id !== null && onShow(id)}
          allowDeselect={false}
        />
      )}
      <RoleMatrix
        roles={columns}
        state={state}
        label={t('screens.admin-roles.title')}
        head={(role) => <RoleHead role={role} onRename={() => setRenaming(role.id)} />}
      />
      {renamed !== undefined && <RenameRoleDialog role={renamed} onClose={() => setRenaming(undefined)} />}
    </>
  )
}
