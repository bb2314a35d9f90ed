import { lazy, Suspense, useEffect } from 'react'

const loadDelayMs = 1500
const retryDelayMs = 5000

const wanted = Promise.withResolvers<void>()
const ready = Promise.withResolvers<void>()

/** Loads what dialogs and notifications need. @returns when a dialog can be opened */
export function prepareOverlays(): Promise<void> {
  wanted.resolve()
  return ready.promise
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const Overlays = lazy(async () => {
  await wanted.promise
  for (;;) {
    try {
      return await import('./Overlays.tsx')
    } catch {
      // Without a connection it is tried again: the screen works until a dialog is needed.
      await wait(retryDelayMs)
    }
  }
})

/** Dialogs and notifications, loaded soon after the first screen, or when the first is wanted. */
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
