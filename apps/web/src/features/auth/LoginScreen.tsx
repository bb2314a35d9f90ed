import { useTranslation } from 'react-i18next'

export default function LoginScreen() {
  const { t } = useTranslation()
  return <main>{t('login.title')}</main>
}
