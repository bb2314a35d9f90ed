import { type ComponentType, lazy } from 'react'
import { loadCode, retryLoad } from '../../platform/load-code.ts'

/** @returns the component, and a function that loads it ahead of its use */
export function lazyMenu<Props>(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
  let isPreloaded = false
  // Only a menu that the user opens may reload the page for a new version. A failed preload is repeated then.
  const preload = () => {
    if (isPreloaded) return
    isPreloaded = true
    load().catch(() => {
      isPreloaded = false
    })
  }
  return [lazy(() => retryLoad(() => loadCode(load))), preload] as const
}
