import { usersRoutes } from '@kustos/contract/users'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import { useAction, useRoute } from '../../app/query.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { listAddress } from './list-address.ts'
import { UserFields } from './UserFields.tsx'
import { UserFormSkeleton } from './UserFormSkeleton.tsx'
import { emptyUserForm, formToNewUser, type UserForm } from './user-form.ts'

const { createUser, listRoles, listUsers } = usersRoutes

const asIs = (form: UserForm) => form

export function UserAddScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const create = useAction(createUser, [listUsers, listRoles])
  const roles = useRoute(listRoles, {})
  return (
    <>
      <BackLink to={listAddress()} label={t('users.form.back')} />
      <PageHeader title={t('users.form.add')} />
      <QueryState query={roles} skeleton={<UserFormSkeleton />}>
        {(known) => (
          <ContractForm
            route={createUser}
            source={emptyUserForm}
            toValues={asIs}
            toBody={formToNewUser}
            send={(body) => create.mutateAsync({ body })}
            onSaved={({ email }) => {
              notifyDone(email, t('users.done.created'))
              void navigate(listAddress())
            }}
            submitLabel={t('users.form.create')}
            beside={
              <Button component={Link} to={listAddress()} variant="default">
                {t('users.form.cancel')}
              </Button>
            }
          >
            {(fields) => <UserFields fields={fields} roles={known} isNew needsRole />}
          </ContractForm>
        )}
      </QueryState>
    </>
  )
}
