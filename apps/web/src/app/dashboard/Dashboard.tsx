import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/PageHeader.tsx'

export function Dashboard() {
  const { t } = useTranslation()
  return <PageHeader title={t('screens.home.title')} />
}
