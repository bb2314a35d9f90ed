import { useLayoutEffect, useState } from 'react'

/** A signal that is aborted when the component goes: a pending write ends with its form, so nothing is saved after leaving. */
export function useAbortOnUnmount(): AbortSignal {
  const [controller] = useState(() => new AbortController())
  // Before the next screen is painted: an effect would let a write pass that ends in between.
  useLayoutEffect(() => () => controller.abort(), [controller])
  return controller.signal
}
