import type { Role, User } from '@kustos/contract/users'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePermissionNames } from '../../entities/role/use-permission-names.ts'
import { useUser } from '../../platform/session.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { findLosses } from './find-losses.ts'
import type { UserForm } from './user-form.ts'

/** Asks for confirmation before users remove their own permissions. @returns whether the form may be sent */
export function useConfirmLosses(user: User, known: readonly Role[] = []) {
  const { t } = useTranslation()
  const me = useUser()
  const confirm = useConfirm()
  const namesOf = usePermissionNames()
  return async ({ roles }: UserForm): Promise<boolean> => {
    const kept = known.filter(({ id }) => roles.includes(id))
    const lost = user.id === me?.id ? findLosses(me, kept) : null
    if (lost === null) return true
    const permissions = namesOf(lost.permissions)
    return confirm({
      title: t('users.accessLoss.title'),
      text: t('users.accessLoss.text'),
      more: (
        <>
          {permissions !== '' && <Text>{t('users.accessLoss.lost', { permissions })}</Text>}
          {lost.losesAdmin && <Text>{t('users.accessLoss.admin')}</Text>}
        </>
      ),
      yes: t('users.accessLoss.yes'),
      danger: true,
    })
  }
}
