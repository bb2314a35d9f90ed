import { logsRoutes } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import { type User, usersRoutes } from '@kustos/contract/users'
import {
  IconHistory,
  IconListDetails,
  IconLogout,
  IconPencil,
  IconRestore,
  IconTrash,
  IconUser,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { logPath } from '../../entities/audit-log/paths.ts'
import { useAction } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import type { RowActions } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'

const { deleteUser, endUserSessions, listRoles, listUsers, restoreUser } = usersRoutes

export function useUserActions() {
  const { t } = useTranslation()
  const me = useUser()
  const confirm = useConfirm()
  const deletion = useAction(deleteUser, [listUsers, listRoles])
  const restoration = useAction(restoreUser, [listUsers, listRoles])
  const ending = useAction(endUserSessions, [])

  const remove = (user: User) => changeIfConfirmed(user, 'delete', t('users.done.deleted'), deletion)

  const endSessions = (user: User) =>
    changeIfConfirmed(user, 'endSessions', t('users.done.sessionsEnded'), ending)

  /** @returns whether the user was restored */
  const restore = (user: User): Promise<boolean> =>
    changeIfConfirmed(user, 'restore', t('users.done.restored'), restoration)

  async function changeIfConfirmed(
    { id, name, email }: User,
    action: 'delete' | 'restore' | 'endSessions',
    done: string,
    change: typeof deletion | typeof restoration | typeof ending,
  ): Promise<boolean> {
    const isAgreed = await confirm({
      title: `${name} (${email})`,
      text: t(`confirm.${action}`),
      hint: t(`users.meaning.${action}`),
      yes: t(`users.actions.${action}`),
      danger: action === 'delete',
    })
    return isAgreed && notifyOutcome(email, done, () => change.mutateAsync({ params: { id } }))
  }

  function rowActions(user: User): RowActions {
    const isActive = user.deleted_at === null
    return [
      {
        key: 'edit',
        label: t(isActive ? 'users.actions.edit' : 'users.actions.show'),
        icon: isActive ? IconPencil : IconUser,
        to: `/admin/user-management/edit/${user.id}`,
      },
      can(me, logsRoutes.listLogs.access) && {
        key: 'log',
        label: t('users.actions.log'),
        icon: IconHistory,
        to: logPath({ subject_type: 'user', subject_id: String(user.id) }),
      },
      can(me, logsRoutes.listLogs.access) && {
        key: 'log-by',
        label: t('users.actions.logBy'),
        icon: IconListDetails,
        to: logPath({ causer: String(user.id) }),
      },
      isActive &&
        user.id !== me?.id && {
          key: 'end-sessions',
          label: t('users.actions.endSessions'),
          icon: IconLogout,
          disabled: ending.isPending,
          run: () => void endSessions(user),
        },
      isActive
        ? // Nobody deletes themselves.
          user.id !== me?.id && {
            key: 'delete',
            label: t('users.actions.delete'),
            icon: IconTrash,
            danger: true,
            disabled: deletion.isPending,
            run: () => void remove(user),
          }
        : {
            key: 'restore',
            label: t('users.actions.restore'),
            icon: IconRestore,
            disabled: restoration.isPending,
            run: () => void restore(user),
          },
    ]
  }

  return { rowActions, restore, isRestoring: restoration.isPending }
}
