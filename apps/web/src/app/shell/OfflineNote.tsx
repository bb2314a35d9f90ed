import { Group } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './Shell.module.css'

/** Stands above the screen while the browser is offline. */
export function OfflineNote() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  return (
    <Group role="status" gap={8} wrap="nowrap" className={styles.offline}>
      {!online && (
        <>
          <IconWifiOff size={16} aria-hidden="true" style={{ flex: 'none' }} />
          {t('shell.offline')}
        </>
      )}
    </Group>
  )
}
