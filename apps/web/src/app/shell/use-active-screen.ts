import { useMatches } from 'react-router-dom'
import { entries, isGroup, type ScreenName } from '../screens.ts'

export interface ScreenHandle {
  readonly screen: ScreenName
}

const screens = entries.flatMap((entry) => (isGroup(entry) ? entry.children : [entry]))
const names: ReadonlySet<string> = new Set(screens.map((screen) => screen.name))

const isHandle = (handle: unknown): handle is ScreenHandle =>
  typeof handle === 'object' && handle !== null && 'screen' in handle && names.has(String(handle.screen))

export function useActiveScreen(): ScreenName | undefined {
  const handle = useMatches().at(-1)?.handle
  return isHandle(handle) ? handle.screen : undefined
}

/** The screen marked in the sidebar: the one shown, or the list that it belongs to. */
export function useMarkedScreen(): ScreenName | undefined {
  const active = useActiveScreen()
  return screens.find(({ name }) => name === active)?.of ?? active
}
