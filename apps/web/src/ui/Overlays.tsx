import '@mantine/notifications/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import styles from './Overlays.module.css'
import { undoKey, undoLatest } from './undo-latest.ts'
import { usePlainKey } from './use-plain-key.ts'

export default function Overlays({ onReady }: { readonly onReady: () => void }) {
  useEffect(onReady, [onReady])
  usePlainKey(undoKey, undoLatest)
  return (
    <ModalsProvider>
      <Notifications position="bottom-right" className={styles.notifications} />
    </ModalsProvider>
  )
}
