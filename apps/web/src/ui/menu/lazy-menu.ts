import { type ComponentType, lazy } from 'react'
import { retryLoad } from '../../platform/load-code.ts'

/** @returns the component, and a function that begins to load it */
export function lazyMenu<Props>(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
  const loadAgain = () => retryLoad(load)
  return [lazy(loadAgain), loadAgain] as const
}
