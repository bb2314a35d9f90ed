import '@mantine/notifications/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import styles from './Overlays.module.css'

export default function Overlays({ onReady }: { readonly onReady: () => void }) {
  useEffect(onReady, [onReady])
  return (
    <ModalsProvider>
      <Notifications position="bottom-right" className={styles.notifications} />
    </ModalsProvider>
  )
}
