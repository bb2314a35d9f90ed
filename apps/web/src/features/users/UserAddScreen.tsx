import { newUser, usersRoutes } from '@kustos/contract/users'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute, write } from '../../platform/query.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { UserFields } from './UserFields.tsx'
import { UserFormSkeleton } from './UserFormSkeleton.tsx'
import { emptyUserForm, type UserForm } from './user-form.ts'

const { createUser, listRoles, listUsers } = usersRoutes

const asIs = (form: UserForm) => form

export default function UserAddScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const listPath = getListUrl('/admin/user-management')
  const roles = useRoute(listRoles, {})
  return (
    <>
      <BackLink to={listPath} label={t('users.form.back')} />
      <PageHeader title={t('users.form.add')} />
      <QueryState query={roles} skeleton={<UserFormSkeleton />}>
        {(known) => (
          <ContractForm
            schema={newUser}
            source={emptyUserForm}
            toValues={asIs}
            toBody={asIs}
            send={(body, signal) => write(createUser, { body }, [listUsers, listRoles], signal)}
            onSaved={({ email }) => {
              notifyDone(email, t('users.done.created'))
              void navigate(listPath)
            }}
            submitLabel={t('users.form.create')}
            beside={<LinkButton to={listPath} label={t('users.form.cancel')} variant="default" />}
          >
            {(fields) => <UserFields fields={fields} roles={known} isNew needsRole />}
          </ContractForm>
        )}
      </QueryState>
    </>
  )
}
