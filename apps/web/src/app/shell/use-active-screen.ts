import { useMatches } from 'react-router-dom'
import { entries, isGroup, type ScreenName } from '../screens.ts'

/** What a route carries for the shell: the screen that it shows. */
export interface ScreenHandle {
  readonly screen: ScreenName
}

const screens = entries.flatMap((entry) => (isGroup(entry) ? entry.children : [entry]))
const names: ReadonlySet<string> = new Set(screens.map((screen) => screen.name))

const isHandle = (handle: unknown): handle is ScreenHandle =>
  typeof handle === 'object' && handle !== null && 'screen' in handle && names.has(String(handle.screen))

/** The screen in front of the user; undefined where the path was not found. */
export function useActiveScreen(): ScreenName | undefined {
  const handle = useMatches().at(-1)?.handle
  return isHandle(handle) ? handle.screen : undefined
}

/** The screen that the sidebar marks: the one in front of the user, or the list that it shows one of. */
export function useMarkedScreen(): ScreenName | undefined {
  const active = useActiveScreen()
  return screens.find(({ name }) => name === active)?.of ?? active
}
