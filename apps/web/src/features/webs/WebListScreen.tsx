import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/PageHeader.tsx'

export function WebListScreen() {
  const { t } = useTranslation()
  return <PageHeader title={t('webs.list.title')} />
}
