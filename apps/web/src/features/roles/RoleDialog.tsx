import { message } from '@kustos/contract/messages'
import { adminRole } from '@kustos/contract/permissions'
import { newRole, type Role, roleChange, usersRoutes } from '@kustos/contract/users'
import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { mayGrant } from '../../entities/role/granting.ts'
import { ApiError } from '../../platform/api-error.ts'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
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
  const likely = roles.filter((role) => role.name !== adminRole && mayGrant(user, role))
  return (
    <FormDialog title={t('roles.dialog.add')} onClose={onClose}>
      {(cancel) => (
        <ContractForm
          schema={newRole}
          source={empty}
          toValues={(values) => values}
          toBody={({ name, like }) => ({
            name,
            permissions: [...(likely.find(({ id }) => id === like)?.permissions ?? [])],
          })}
          send={(body, signal) => write(createRole, { body }, [listRoles], signal)}
          onSaved={(role) => {
            notifyDone(role.name, t('roles.done.created'))
            onAdded(role)
            onClose()
          }}
          submitLabel={t('roles.dialog.create')}
          beside={cancel}
        >
          {({ field }) => (
            <>
              <TextInput
                {...field('name', { label: t('roles.dialog.name') })}
                data-autofocus
                autoComplete="off"
              />
              <Select
                {...field('like', {
                  label: t('roles.dialog.like'),
                  hint: t('roles.dialog.likeHint'),
                })}
                required={false}
                data={likely.map(({ id, name }) => ({ value: id, label: name }))}
                placeholder={t('roles.dialog.nobody')}
                clearable
                clearButtonProps={{ 'aria-label': t('users.form.clear') }}
              />
            </>
          )}
        </ContractForm>
      )}
    </FormDialog>
  )
}

async function newest({ id }: Role): Promise<Role> {
  const found = (await call(listRoles, {})).find((role) => role.id === id)
  if (found === undefined)
    throw new ApiError(404, { ...message('role_not_found', { id }), message: 'Not found.' })
  return found
}

interface RenameProps {
  readonly role: Role
  readonly onClose: () => void
}

export function RenameRoleDialog({ role, onClose }: RenameProps) {
  const { t } = useTranslation()
  return (
    <FormDialog title={t('roles.dialog.rename', { role: role.name })} onClose={onClose}>
      {(cancel) => (
        <ContractForm
          schema={roleChange}
          source={role}
          toValues={({ name }) => ({ name })}
          toBody={({ name }, { permissions, updated_at }) => ({
            name,
            permissions: [...permissions],
            updated_at,
          })}
          send={(body, signal) =>
            write(editRole, { params: { id: role.id }, body }, [listRoles, listUsers], signal)
          }
          loadNewest={() => newest(role)}
          onSaved={(_, { name }) => {
            notifyDone(name.trim(), t('roles.done.renamed'))
            onClose()
          }}
          submitLabel={t('roles.dialog.save')}
          beside={cancel}
        >
          {({ field }) => (
            <TextInput
              {...field('name', { label: t('roles.dialog.name') })}
              data-autofocus
              autoComplete="off"
            />
          )}
        </ContractForm>
      )}
    </FormDialog>
  )
}
