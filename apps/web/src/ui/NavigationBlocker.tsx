import { createContext, type ReactNode } from 'react'
import { type Blocker, useBlocker } from 'react-router-dom'

/** A function of each guard on the screen that tells whether something is unsaved, oldest first. */
export const guards = new Set<() => boolean>()

export const BlockerContext = createContext<Blocker>({
  state: 'unblocked',
  location: undefined,
  proceed: undefined,
  reset: undefined,
})

/** The router consults one blocker only, so all guards share this one, such as those of a form and of a dialog over it. */
export function NavigationBlocker({ children }: { readonly children: ReactNode }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && [...guards].some((hasUnsaved) => hasUnsaved()),
  )
  return <BlockerContext value={blocker}>{children}</BlockerContext>
}
