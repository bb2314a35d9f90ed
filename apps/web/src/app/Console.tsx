import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router-dom'
import { onUnconfirmed } from '../platform/client.ts'
import { startEvents } from '../platform/events.ts'
import { loadCode } from '../platform/load-code.ts'
import { queryClient } from '../platform/query.ts'
import { DeferredOverlays } from '../ui/DeferredOverlays.tsx'
import { router } from './router.tsx'

// Loaded when it is needed.
onUnconfirmed(async () => (await loadCode(() => import('../ui/ask-for-password.tsx'))).askForPassword())

export default function Console({ userId }: { readonly userId: number }) {
  useEffect(() => startEvents(userId), [userId])
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <DeferredOverlays />
    </QueryClientProvider>
  )
}
