import { lazy, Suspense, useEffect } from 'react'
import { loadDelayMs, retryLoad } from '../platform/load-code.ts'

const wanted = Promise.withResolvers<void>()
const ready = Promise.withResolvers<void>()

/** Loads the code of dialogs and notifications. @returns when a dialog can be opened */
export function prepareOverlays(): Promise<void> {
  wanted.resolve()
  return ready.promise
}

const Overlays = lazy(async () => {
  await wanted.promise
  return retryLoad(() => import('./Overlays.tsx'))
})

/** Dialogs and notifications, loaded soon after the first screen or when one is opened. */
export function DeferredOverlays() {
  useEffect(() => {
    const timer = setTimeout(wanted.resolve, loadDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Suspense>
      <Overlays onReady={ready.resolve} />
    </Suspense>
  )
}
