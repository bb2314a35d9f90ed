import { createBrowserRouter, Navigate, type RouteObject, redirect } from 'react-router-dom'
import { notifyDenied } from '../ui/notify.tsx'
import { ScreenSkeleton } from '../ui/ScreenSkeleton.tsx'
import { detour, offeredChildren } from './access.ts'
import { Crash } from './Crash.tsx'
import { components } from './components.ts'
import { loadCatalogue } from './i18n.ts'
import { NotFound } from './NotFound.tsx'
import { putOut } from './putting-out.ts'
import { entries, type Group, isGroup, type Screen } from './screens.ts'
import { onSession, signedInUser } from './session.ts'
import { Shell } from './shell/Shell.tsx'
import type { ScreenHandle } from './shell/use-active-screen.ts'

function screenRoutes(screen: Screen, group?: Group): RouteObject[] {
  const handle: ScreenHandle = { screen: screen.name }
  const aliases = (screen.aliases ?? []).map((path) => ({
    path,
    element: <Navigate to={screen.path} replace />,
  }))
  return [
    {
      path: screen.path,
      handle,
      loader: ({ request }) => {
        const user = signedInUser()
        // Signed out meanwhile: the login screen stands in front, and the address waits for who signs in.
        const elsewhere = user === null ? null : detour(screen, group, user)
        if (elsewhere === null) return null
        if (elsewhere === '/') {
          // Still on it, or on the way to it: only who is on it may have typed something there.
          const hasKept = new URL(request.url).pathname === location.pathname && putOut()
          // At the first load the texts may be on their way still.
          void loadCatalogue().then(() => notifyDenied(screen.name, hasKept))
        }
        return redirect(elsewhere)
      },
      lazy: { Component: components[screen.name] },
      // The table's own address is the screen's to read: no guard need run for it.
      shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
        currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
          ? false
          : defaultShouldRevalidate,
      hydrateFallbackElement: <ScreenSkeleton />,
      errorElement: <Crash />,
    },
    ...aliases,
  ]
}

/** A group's own path, where no child of it stands there. */
function groupRoutes(group: Group): RouteObject[] {
  if (group.children.some(({ path }) => path === group.path)) return []
  return [
    {
      path: group.path,
      loader: () => {
        const user = signedInUser()
        return user === null ? null : redirect(offeredChildren(group, user)[0]?.path ?? '/')
      },
      hydrateFallbackElement: <ScreenSkeleton />,
      // Until there is somebody to find a child for.
      element: <ScreenSkeleton />,
    },
  ]
}

const children = entries.flatMap((entry) =>
  isGroup(entry)
    ? [...groupRoutes(entry), ...entry.children.flatMap((child) => screenRoutes(child, entry))]
    : screenRoutes(entry),
)

export const router = createBrowserRouter([
  {
    element: <Shell />,
    errorElement: <Crash />,
    children: [...children, { path: '*', element: <NotFound /> }],
  },
])

// Permissions may have changed: whoever lost that of the screen in front of them goes home.
onSession(() => {
  if (signedInUser() !== null) void router.revalidate()
})
