import { type Role, type User, userChange, usersRoutes } from '@kustos/contract/users'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconLock, IconTrash, IconUserOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { LogSection } from '../../entities/audit-log/LogSection.tsx'
import { mayGrant } from '../../entities/role/grantable-roles.ts'
import { call } from '../../platform/client.ts'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute, write } from '../../platform/query.ts'
import { refreshUser, useUser } from '../../platform/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { checkCurrentPassword, needsCurrentPassword } from './current-password.ts'
import { UserFacts } from './UserFacts.tsx'
import { UserFields } from './UserFields.tsx'
import { UserFormSkeleton } from './UserFormSkeleton.tsx'
import { useConfirmLosses } from './use-confirm-losses.tsx'
import { useUserActions } from './use-user-actions.ts'
import { formToChange, type UserForm, userToForm } from './user-form.ts'
import styles from './users.module.css'

const { editUser, listRoles, listUsers, readUser } = usersRoutes

export default function UserEditScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  // Refetched on each visit, because saving an outdated user is rejected.
  const query = useRoute(readUser, { params: { id } }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  const { data, error } = query
  return (
    <>
      <BackLink to={getListUrl('/admin/user-management')} label={t('users.form.back')} />
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
  const listPath = getListUrl('/admin/user-management')
  const me = useUser()
  const roles = useRoute(listRoles, {})
  const params = { id: user.id }
  const confirmLosses = useConfirmLosses(user, roles.data)
  // Imported users may have no role.
  const needsRole = user.roles.length > 0
  // With a new password or e-mail they could take over an account with more permissions.
  const hasMorePermissions = (known: readonly Role[]) =>
    user.id !== me?.id &&
    known.some((role) => user.roles.some(({ id }) => id === role.id) && !mayGrant(me, role))
  return (
    <QueryState query={roles} skeleton={<UserFormSkeleton />}>
      {(known) =>
        hasMorePermissions(known) ? (
          <Alert variant="default" icon={<IconLock size={16} />}>
            {t('users.form.holdsMore')}
          </Alert>
        ) : (
          <ContractForm
            schema={userChange}
            source={user}
            toValues={userToForm}
            toBody={formToChange}
            // Optional in the contract, because the own settings leave roles out.
            check={(values: UserForm) => ({
              ...(needsRole && values.roles.length === 0 && { roles: t('messages.role_required') }),
              ...(user.id === me?.id && checkCurrentPassword(values, user)),
            })}
            confirm={confirmLosses}
            send={(body, signal) => write(editUser, { params, body }, [listUsers, listRoles], signal)}
            loadLatest={() => call(readUser, { params })}
            onSaved={async (_, { email }) => {
              notifyDone(email, t('users.done.saved'))
              if (user.id === me?.id) await refreshUser()
              void navigate(listPath)
            }}
            submitLabel={t('users.form.save')}
            failedText={t('users.form.wrong')}
            beside={<LinkButton to={listPath} label={t('users.form.cancel')} variant="default" />}
          >
            {(fields) => (
              <UserFields
                fields={fields}
                roles={known}
                isNew={false}
                needsRole={needsRole}
                needsCurrentPassword={user.id === me?.id && needsCurrentPassword(fields.values, user)}
              />
            )}
          </ContractForm>
        )
      }
    </QueryState>
  )
}

interface DeletedNoteProps {
  readonly user: User
  readonly onRestored: () => void
}

/** Replaces the form, because a deleted user must be restored before they can be edited. */
function DeletedNote({ user, onRestored }: DeletedNoteProps) {
  const { t } = useTranslation()
  const { restore, isRestoring } = useUserActions()
  return (
    <Alert variant="default" icon={<IconTrash size={16} />} classNames={{ wrapper: styles.note }}>
      <Group justify="space-between" gap="sm">
        <Text>{t('users.form.deleted')}</Text>
        <Button
          variant="default"
          loading={isRestoring}
          onClick={() => void restore(user).then((done) => done && onRestored())}
        >
          {t('users.actions.restore')}
        </Button>
      </Group>
    </Alert>
  )
}

function Missing({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconUserOff}
      title={t('users.missing.title', { id })}
      hint={t('users.missing.hint')}
      action={<LinkButton to={getListUrl('/admin/user-management')} label={t('users.missing.toList')} />}
    />
  )
}
