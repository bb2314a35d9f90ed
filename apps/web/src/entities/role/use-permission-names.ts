import type { Permission } from '@kustos/contract/permissions'
import { useTranslation } from 'react-i18next'

export function usePermissionNames(): (permissions: readonly Permission[]) => string {
  const { t } = useTranslation()
  return (permissions) => permissions.map((permission) => t(`roles.names.${permission}`)).join(', ')
}
