import { adminRole } from '@kustos/contract/permissions'
import { type Role, usersRoutes } from '@kustos/contract/users'
import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../app/api-error.ts'
import { call } from '../../app/client.ts'
import { mayGrant } from '../../app/granting.ts'
import { useAction } from '../../app/query.ts'
import { useUser } from '../../app/session.ts'
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

/** A new role, with nothing or with what another one holds. */
export function AddRoleDialog({ roles, onClose, onAdded }: AddProps) {
  const { t } = useTranslation()
  const user = useUser()
  const create = useAction(createRole, [listRoles])
  const likely = roles.filter((role) => role.name !== adminRole && mayGrant(user, role))
  return (
    <FormDialog title={t('roles.dialog.add')} onClose={onClose}>
      {(cancel) => (
        <ContractForm
          route={createRole}
          source={empty}
          toValues={(values) => values}
          toBody={({ name, like }) => ({
            name,
            permissions: [...(likely.find(({ id }) => id === like)?.permissions ?? [])],
          })}
          send={(body) => create.mutateAsync({ body })}
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

/** The list is the one place that roles are read from. */
async function newest({ id }: Role): Promise<Role> {
  const found = (await call(listRoles, {})).find((role) => role.id === id)
  if (found === undefined) throw new ApiError(404, { message: `Role ${id} was not found.` })
  return found
}

interface RenameProps {
  readonly role: Role
  readonly onClose: () => void
}

export function RenameRoleDialog({ role, onClose }: RenameProps) {
  const { t } = useTranslation()
  const edit = useAction(editRole, [listRoles, listUsers])
  return (
    <FormDialog title={t('roles.dialog.rename', { role: role.name })} onClose={onClose}>
      {(cancel) => (
        <ContractForm
          route={editRole}
          source={role}
          toValues={({ name }) => ({ name })}
          toBody={({ name }, { permissions, updated_at }) => ({
            name,
            permissions: [...permissions],
            updated_at,
          })}
          send={(body) => edit.mutateAsync({ params: { id: role.id }, body })}
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
