import { useMatches } from 'react-router-dom'
import { type Screen, type ScreenName, screens } from '../screens.ts'

/** The screen shown. Its route has its name as id. */
export function useActiveScreen(): Screen | undefined {
  const id = useMatches().at(-1)?.id
  return screens.find(({ screen }) => screen.name === id)?.screen
}

/** The screen marked in the sidebar: the one shown, or the list that it belongs to. */
export function useMarkedScreen(): ScreenName | undefined {
  const active = useActiveScreen()
  return active?.of ?? active?.name
}
