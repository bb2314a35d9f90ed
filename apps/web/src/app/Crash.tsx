import { Button, Group, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './Crash.module.css'

/** Stands where a screen threw, or where its code could not be loaded (a newer build took its place). */
export function Crash() {
  const { t } = useTranslation()
  return (
    <div className={styles.crash} role="alert">
      <Title order={1}>{t('crash.title')}</Title>
      <p className={styles.text}>{t('crash.text')}</p>
      <Group>
        <Button onClick={() => location.reload()}>{t('crash.reload')}</Button>
      </Group>
    </div>
  )
}
