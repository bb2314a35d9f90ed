import i18next from 'i18next'
import {
  createBrowserRouter,
  Navigate,
  type RouteObject,
  redirect,
  useParams,
  useRouteError,
} from 'react-router-dom'
import { saveDraftsBeforeRedirect } from '../platform/drafts.ts'
import { loadTexts } from '../platform/i18n.ts'
import { onSession, signedInUser } from '../platform/session.ts'
import { notifyDenied } from '../ui/notify.tsx'
import { ScreenSkeleton } from '../ui/ScreenSkeleton.tsx'
import { offeredChildren, redirectFor } from './access.ts'
import { Crash } from './Crash.tsx'
import { NotFound } from './NotFound.tsx'
import { listRequests, type ScreenComponent, screenLoaders } from './screen-loaders.ts'
import { entries, type Group, isGroup, type Screen, type ScreenName } from './screens.ts'
import { Shell } from './shell/Shell.tsx'

const RouteCrash = () => <Crash error={useRouteError()} />

/** A screen about another thing must not keep the state of the one before. */
function KeyedScreen({ content: Content }: { readonly content: ScreenComponent }) {
  const { id = '' } = useParams()
  return <Content key={id} id={id} />
}

async function loadScreen(name: ScreenName): Promise<ScreenComponent> {
  const [{ default: content }] = await Promise.all([
    screenLoaders[name](),
    name !== 'hosting-web-list' && loadTexts('screens'),
  ])
  return content
}

function screenRoutes(screen: Screen, group?: Group): RouteObject[] {
  return [
    {
      path: screen.path,
      id: screen.name,
      loader: ({ request }) => {
        const user = signedInUser()
        // Signed out: the login screen is shown, and the URL is kept for the next sign-in.
        if (user === null) return null
        const elsewhere = redirectFor(screen, group, user)
        if (elsewhere === null) {
          listRequests[screen.name]?.(new URL(request.url))
          return null
        }
        if (elsewhere === '/') {
          // Only a user who is already on this screen can have unsaved input there.
          const hasDraft = new URL(request.url).pathname === location.pathname && saveDraftsBeforeRedirect()
          // On the first load the texts may still be loading.
          void loadTexts('console').then(() =>
            notifyDenied(i18next.t(`screens.${screen.name}.title`), hasDraft),
          )
        }
        return redirect(elsewhere)
      },
      lazy: { element: async () => <KeyedScreen content={await loadScreen(screen.name)} /> },
      // The query string belongs to the screen, so changing it needs no permission check.
      shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
        currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
          ? false
          : defaultShouldRevalidate,
      hydrateFallbackElement: <ScreenSkeleton />,
      errorElement: <RouteCrash />,
    },
    ...(screen.aliases ?? []).map((path) => ({ path, element: <Navigate to={screen.path} replace /> })),
  ]
}

/** Redirects a group's bare path, unless one of its screens has that path. */
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
      // Shown while nobody is signed in.
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
    errorElement: <RouteCrash />,
    children: [...children, { path: '*', element: <NotFound /> }],
  },
])

// Permissions may have changed: leave a screen that is no longer allowed.
onSession(() => {
  if (signedInUser() !== null) void router.revalidate()
})
