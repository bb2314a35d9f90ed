import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/PageHeader.tsx'

export function SettingsScreen() {
  const { t } = useTranslation()
  return <PageHeader title={t('screens.user-settings.title')} />
}
