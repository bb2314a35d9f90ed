import { MantineProvider } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { loadTexts } from '../platform/i18n.ts'
import { useSession } from '../platform/session.ts'
import { Crash } from './Crash.tsx'
import { CrashBoundary } from './CrashBoundary.tsx'
import { colorSchemeManager, cssVariables, theme } from './theme.ts'

/** Separate chunks keep the login screen small. */
const LoginScreen = lazy(() => import('../features/auth/LoginScreen.tsx'))
const Console = lazy(async () => {
  const [screens] = await Promise.all([import('./Console.tsx'), loadTexts('console')])
  return screens
})

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <CrashBoundary fallback={(error) => <Crash error={error} />}>
        <Suspense>
          <Gate />
        </Suspense>
      </CrashBoundary>
    </MantineProvider>
  )
}

/** The remembered session decides at once; `startSession` verifies it with the server. */
function Gate() {
  const session = useSession()
  if (session.state === 'unknown') return null
  if (session.state === 'signed-out') return <LoginScreen />
  const { id } = session.user
  return <Console key={id} userId={id} />
}
