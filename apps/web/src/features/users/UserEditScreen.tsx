import { type Role, type User, usersRoutes, userTexts } from '@kustos/contract/users'
import { Alert, Button, Stack } from '@mantine/core'
import { IconLock, IconUserOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { call } from '../../app/client.ts'
import { mayGrant } from '../../app/granting.ts'
import { LogSection } from '../../app/logs/LogSection.tsx'
import { useAction, useRoute } from '../../app/query.ts'
import { sentence } from '../../app/sentences.ts'
import { refreshUser, useUser } from '../../app/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { DeletedNote } from './DeletedNote.tsx'
import { listAddress } from './list-address.ts'
import { UserFacts } from './UserFacts.tsx'
import { UserFields } from './UserFields.tsx'
import { UserFormSkeleton } from './UserFormSkeleton.tsx'
import { useLosingOwnRoles } from './use-losing-own-roles.tsx'
import { formToChange, type UserForm, userToForm } from './user-form.ts'
import styles from './users.module.css'

const { editUser, listRoles, listUsers, readUser } = usersRoutes

export function UserEditScreen() {
  const { id = '' } = useParams()
  // Another id is another form.
  return <EditScreen key={id} id={id} />
}

function EditScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  // Read anew for each visit: a form that starts from an old state could only be refused.
  const query = useRoute(readUser, { params: { id } }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  const { data, error } = query
  return (
    <>
      <BackLink to={listAddress()} label={t('users.form.back')} />
      <PageHeader
        title={
          data === undefined
            ? t('users.form.editing', { id })
            : t('users.form.edit', { id, email: data.email })
        }
      />
      {error?.status === 404 || error?.status === 422 ? (
        <Missing id={id} />
      ) : (
        <QueryState query={query} skeleton={<UserFormSkeleton />}>
          {(user) => (
            <div className={styles.page}>
              {user.deleted_at === null ? (
                <EditForm user={user} />
              ) : (
                <DeletedNote user={user} onRestored={() => void query.refetch()} />
              )}
              <Stack gap="md">
                <UserFacts user={user} />
                <LogSection
                  filter={{ subject_type: 'user', subject_id: String(user.id) }}
                  title={t('users.log.about')}
                  emptyText={t('users.log.aboutNone')}
                  limit={6}
                  without="auth"
                />
                <LogSection
                  filter={{ causer: String(user.id) }}
                  title={t('users.log.by')}
                  emptyText={t('users.log.byNone')}
                  about="causer"
                  limit={6}
                />
              </Stack>
            </div>
          )}
        </QueryState>
      )}
    </>
  )
}

function EditForm({ user }: { readonly user: User }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const me = useUser()
  const edit = useAction(editUser, [listUsers, listRoles])
  const roles = useRoute(listRoles, {})
  const params = { id: user.id }
  const mayShrink = useLosingOwnRoles(user, roles.data)
  // One who was imported may have none, and stays so until somebody gives one.
  const needsRole = user.roles.length > 0
  // A new password or e-mail would be a way into an account that may do more.
  const isBeyond = (known: readonly Role[]) =>
    user.id !== me?.id &&
    known.some((role) => user.roles.some(({ id }) => id === role.id) && !mayGrant(me, role))
  return (
    <QueryState query={roles} skeleton={<UserFormSkeleton />}>
      {(known) =>
        isBeyond(known) ? (
          <Alert variant="default" icon={<IconLock size={16} />} p="sm">
            {t('users.form.holdsMore')}
          </Alert>
        ) : (
          <ContractForm
            route={editUser}
            source={user}
            toValues={userToForm}
            toBody={formToChange}
            // The contract lets it be left out, since one's own settings do.
            check={(values: UserForm) =>
              needsRole && values.roles.length === 0 ? { roles: sentence(userTexts.lastRole) } : {}
            }
            confirm={mayShrink}
            send={(body) => edit.mutateAsync({ params, body })}
            loadNewest={() => call(readUser, { params })}
            onSaved={async (_, { email }) => {
              notifyDone(email, t('users.done.saved'))
              if (user.id === me?.id) await refreshUser()
              void navigate(listAddress())
            }}
            submitLabel={t('users.form.save')}
            failedText={t('users.form.wrong')}
            beside={
              <Button component={Link} to={listAddress()} variant="default">
                {t('users.form.cancel')}
              </Button>
            }
          >
            {(fields) => <UserFields fields={fields} roles={known} isNew={false} needsRole={needsRole} />}
          </ContractForm>
        )
      }
    </QueryState>
  )
}

function Missing({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconUserOff}
      title={t('users.missing.title', { id })}
      hint={t('users.missing.hint')}
      action={
        <Button component={Link} to={listAddress()}>
          {t('users.missing.toList')}
        </Button>
      }
    />
  )
}
