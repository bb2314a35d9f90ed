import { adminRole } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'
import { useTranslation } from 'react-i18next'
import { mayGrant, missingPermissions } from '../../entities/role/grantable-roles.ts'
import { usePermissionNames } from '../../entities/role/use-permission-names.ts'
import { useUser } from '../../platform/session.ts'

/** Why the user may not change a role; undefined if they may. */
export function useFixedReason(role: Role): string | undefined {
  const { t } = useTranslation()
  const user = useUser()
  const namesOf = usePermissionNames()
  if (role.name === adminRole) return t('roles.fixedHint')
  return mayGrant(user, role)
    ? undefined
    : t('roles.roleCannotGrant', { permissions: namesOf(missingPermissions(user, role.permissions)) })
}
