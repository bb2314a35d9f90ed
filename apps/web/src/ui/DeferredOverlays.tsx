import { lazy, Suspense, useEffect } from 'react'
import { sleep } from '../platform/coalesce.ts'

const loadDelayMs = 1500
const retryDelayMs = 5000

const wanted = Promise.withResolvers<void>()
const ready = Promise.withResolvers<void>()

/** Loads the code of dialogs and notifications. @returns when a dialog can be opened */
export function prepareOverlays(): Promise<void> {
  wanted.resolve()
  return ready.promise
}

const Overlays = lazy(async () => {
  await wanted.promise
  for (;;) {
    try {
      return await import('./Overlays.tsx')
    } catch {
      // Without a connection it is tried again: the screen works until a dialog is needed.
      await sleep(retryDelayMs)
    }
  }
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
