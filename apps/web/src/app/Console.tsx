import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router-dom'
import { startEvents } from '../platform/events.ts'
import { queryClient } from '../platform/query.ts'
import { DeferredOverlays } from '../ui/DeferredOverlays.tsx'
import { router } from './router.tsx'

export default function Console({ userId }: { readonly userId: number }) {
  useEffect(() => startEvents(userId), [userId])
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <DeferredOverlays />
    </QueryClientProvider>
  )
}
