import { logsRoutes } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import { type User, usersRoutes } from '@kustos/contract/users'
import { IconHistory, IconPencil, IconRestore, IconTrash, IconUser } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { logPath } from '../../entities/audit-log/paths.ts'
import { useAction } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import type { RowActions } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'

const { deleteUser, listRoles, listUsers, restoreUser } = usersRoutes

const named = ({ name, email }: User) => `${name} (${email})`

/** The actions of a user's row menu. */
export function useUserActions() {
  const { t } = useTranslation()
  const me = useUser()
  const confirm = useConfirm()
  const deletion = useAction(deleteUser, [listUsers, listRoles])
  const restoration = useAction(restoreUser, [listUsers, listRoles])

  async function remove(user: User): Promise<void> {
    const agreed = await confirm({
      title: named(user),
      text: t('confirm.delete'),
      hint: t('users.meaning.delete'),
      yes: t('users.actions.delete'),
      danger: true,
    })
    if (!agreed) return
    await notifyOutcome(user.email, t('users.done.deleted'), () =>
      deletion.mutateAsync({ params: { id: user.id } }),
    )
  }

  /** @returns whether the user was restored */
  async function restore(user: User): Promise<boolean> {
    const agreed = await confirm({
      title: named(user),
      text: t('confirm.restore'),
      hint: t('users.meaning.restore'),
      yes: t('users.actions.restore'),
    })
    if (!agreed) return false
    return notifyOutcome(user.email, t('users.done.restored'), () =>
      restoration.mutateAsync({ params: { id: user.id } }),
    )
  }

  function rowActions(user: User): RowActions {
    const lives = user.deleted_at === null
    return [
      {
        key: 'edit',
        label: t(lives ? 'users.actions.edit' : 'users.actions.show'),
        icon: lives ? <IconPencil size={16} /> : <IconUser size={16} />,
        to: `/admin/user-management/edit/${user.id}`,
      },
      can(me, logsRoutes.listLogs.access) && {
        key: 'log',
        label: t('users.actions.log'),
        icon: <IconHistory size={16} />,
        to: logPath({ subject_type: 'user', subject_id: String(user.id) }),
      },
      lives
        ? // Nobody deletes themselves.
          user.id !== me?.id && {
            key: 'delete',
            label: t('users.actions.delete'),
            icon: <IconTrash size={16} />,
            danger: true,
            disabled: deletion.isPending,
            run: () => void remove(user),
          }
        : {
            key: 'restore',
            label: t('users.actions.restore'),
            icon: <IconRestore size={16} />,
            disabled: restoration.isPending,
            run: () => void restore(user),
          },
    ]
  }

  return { rowActions, restore, isRestoring: restoration.isPending }
}
