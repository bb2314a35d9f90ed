import type { Role, User } from '@kustos/contract/users'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../platform/session.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { findLosses } from './find-losses.ts'
import type { UserForm } from './user-form.ts'

/** Asks for confirmation before users remove their own permissions. @returns whether the form may be sent */
export function useConfirmLosses(user: User, known: readonly Role[] | undefined) {
  const { t } = useTranslation()
  const me = useUser()
  const confirm = useConfirm()
  return async (values: UserForm): Promise<boolean> => {
    if (me === null || known === undefined || user.id !== me.id) return true
    const lost = findLosses(
      me,
      known.filter(({ id }) => values.roles.includes(id)),
    )
    if (lost === null) return true
    const names = lost.permissions.map((permission) => t(`roles.names.${permission}`))
    return confirm({
      title: t('users.losing.title'),
      text: t('users.losing.text'),
      more: (
        <>
          {names.length > 0 && <Text>{t('users.losing.lost', { permissions: names.join(', ') })}</Text>}
          {lost.isAdmin && <Text>{t('users.losing.admin')}</Text>}
        </>
      ),
      yes: t('users.losing.yes'),
      danger: true,
    })
  }
}
