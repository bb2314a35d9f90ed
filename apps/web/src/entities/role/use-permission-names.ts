import type { Permission } from '@kustos/contract/permissions'
import { useTranslation } from 'react-i18next'

/** Lists permissions by their names in the console's language. */
export function usePermissionNames(): (permissions: readonly Permission[]) => string {
  const { t } = useTranslation()
  return (permissions) => permissions.map((permission) => t(`roles.names.${permission}`)).join(', ')
}
