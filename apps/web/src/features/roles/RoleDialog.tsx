import { adminRole } from '@kustos/contract/permissions'
import { newRole, type Role, roleChange, usersRoutes } from '@kustos/contract/users'
import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { mayGrant } from '../../entities/role/grantable-roles.ts'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { findListed } from '../../ui/contract-form/find-listed.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'

const { createRole, editRole, listRoles, listUsers } = usersRoutes

interface AddProps {
  readonly roles: readonly Role[]
  readonly onClose: () => void
  readonly onAdded: (role: Role) => void
}

const empty = { name: '', like: null as number | null }

/** Creates a role, empty or with the permissions of another one. */
export function AddRoleDialog({ roles, onClose, onAdded }: AddProps) {
  const { t } = useTranslation()
  const user = useUser()
  const templates = roles.filter((role) => role.name !== adminRole && mayGrant(user, role))
  return (
    <FormDialog
      title={t('roles.dialog.add')}
      onClose={onClose}
      schema={newRole}
      source={empty}
      toValues={(values) => values}
      toBody={({ name, like }) => ({
        name,
        permissions: [...(templates.find(({ id }) => id === like)?.permissions ?? [])],
      })}
      send={(body, signal) => write(createRole, { body }, [listRoles], signal)}
      onSaved={(role) => {
        notifyDone(role.name, t('roles.done.created'))
        onAdded(role)
      }}
      submitLabel={t('roles.dialog.create')}
    >
      {({ field }) => (
        <>
          <TextInput
            {...field('name', { label: t('roles.dialog.name') })}
            data-autofocus
            autoComplete="off"
          />
          <Select
            {...field('like', { label: t('roles.dialog.copyFrom'), hint: t('roles.dialog.copyFromHint') })}
            required={false}
            data={templates.map(({ id, name }) => ({ value: id, label: name }))}
            placeholder={t('roles.dialog.nobody')}
            clearable
            clearButtonProps={{ 'aria-label': t('users.form.clear') }}
          />
        </>
      )}
    </FormDialog>
  )
}

interface RenameProps {
  readonly role: Role
  readonly onClose: () => void
}

export function RenameRoleDialog({ role, onClose }: RenameProps) {
  const { t } = useTranslation()
  const params = { id: role.id }
  return (
    <FormDialog
      title={t('roles.dialog.rename', { role: role.name })}
      onClose={onClose}
      schema={roleChange}
      source={role}
      toValues={({ name }) => ({ name })}
      toBody={({ name }, { permissions, updated_at }) => ({
        name,
        permissions: [...permissions],
        updated_at,
      })}
      send={(body, signal) => write(editRole, { params, body }, [listRoles, listUsers], signal)}
      loadLatest={() => findListed(call(listRoles, {}), role.id, 'role_not_found')}
      onSaved={(_, { name }) => notifyDone(name.trim(), t('roles.done.renamed'))}
      submitLabel={t('roles.dialog.save')}
    >
      {({ field }) => (
        <TextInput {...field('name', { label: t('roles.dialog.name') })} data-autofocus autoComplete="off" />
      )}
    </FormDialog>
  )
}
