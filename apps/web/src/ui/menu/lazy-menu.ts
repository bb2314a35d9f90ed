import { type ComponentType, lazy } from 'react'
import { loadCode, retryLoad } from '../../platform/load-code.ts'

/** @returns the component, and a function that loads it ahead of its use */
export function lazyMenu<Props>(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
  // Only a menu that the user opens may reload the page for a new version. A failed preload is repeated then.
  const preload = () => void load().catch(() => undefined)
  return [lazy(() => retryLoad(() => loadCode(load))), preload] as const
}
