import { formatTime } from '@kustos/contract/grid'
import type { CurrentUser } from '@kustos/contract/users'
import { useTranslation } from 'react-i18next'
import { FactList } from '../../ui/FactList.tsx'

export function OwnFacts({ user }: { readonly user: CurrentUser }) {
  const { t } = useTranslation()
  return (
    <FactList>
      <dt>{t('settings.name')}</dt>
      <dd>{user.name}</dd>
      <dt>{t('settings.email')}</dt>
      <dd>{user.email}</dd>
      <dt>{t('settings.roles')}</dt>
      <dd>{user.roles.map((role) => role.name).join(', ') || '–'}</dd>
      <dt>{t('settings.created')}</dt>
      <dd>{formatTime(user.created_at)}</dd>
      <dt>{t('settings.updated')}</dt>
      <dd>{formatTime(user.updated_at)}</dd>
    </FactList>
  )
}
