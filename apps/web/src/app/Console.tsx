import '@mantine/notifications/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router-dom'
import { startEvents } from './events.ts'
import { queryClient } from './query.ts'
import { router } from './router.tsx'
import styles from './shell/Shell.module.css'

/** Everything behind the sign-in. */
export default function Console() {
  // The next user finds nothing of this one's.
  useEffect(() => () => queryClient.clear(), [])
  useEffect(() => startEvents(queryClient), [])
  return (
    <QueryClientProvider client={queryClient}>
      <ModalsProvider>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" className={styles.messages} />
      </ModalsProvider>
    </QueryClientProvider>
  )
}
