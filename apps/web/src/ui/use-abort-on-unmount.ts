import { useLayoutEffect, useState } from 'react'

/** A signal that is aborted on unmount, so that nothing is saved after a form was left. */
export function useAbortOnUnmount(): AbortSignal {
  const [controller] = useState(() => new AbortController())
  // Before the next screen is painted: after that, a write may already have finished.
  useLayoutEffect(() => () => controller.abort(), [controller])
  return controller.signal
}
