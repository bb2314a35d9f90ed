import { formatTime } from '@kustos/contract/grid'
import { Card, Stack, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../platform/session.ts'
import { FactList } from '../../ui/FactList.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { BrowserSettings } from './BrowserSettings.tsx'
import { EmailChange } from './EmailChange.tsx'
import { OwnDataForm } from './OwnDataForm.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import styles from './SettingsScreen.module.css'

export default function SettingsScreen() {
  const { t } = useTranslation()
  const user = useUser()
  if (user === null) return null
  return (
    <>
      <PageHeader title={t('screens.user-settings.title')} />
      <div className={styles.columns}>
        <Card component="section">
          <Title order={2} mb="md">
            {t('settings.ownData')}
          </Title>
          <EmailChange user={user} />
          <OwnDataForm key={user.id} user={user} />
        </Card>
        <Stack gap="md">
          <Card component="section">
            <Title order={2} mb="sm">
              {t('settings.account')}
            </Title>
            <FactList
              facts={[
                [t('settings.name'), user.name],
                [t('settings.email'), user.email],
                [t('settings.roles'), user.roles.map((role) => role.name).join(', ') || '–'],
                [t('settings.created'), formatTime(user.created_at)],
                [t('settings.updated'), formatTime(user.updated_at)],
              ]}
            />
          </Card>
          <Card component="section">
            <Title order={2} mb="sm">
              {t('settings.thisBrowser')}
            </Title>
            <BrowserSettings />
          </Card>
        </Stack>
        <OwnSessions />
      </div>
    </>
  )
}
