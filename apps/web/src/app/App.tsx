import { MantineProvider } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { CrashBoundary } from './CrashBoundary.tsx'
import { loadCatalogue } from './i18n.ts'
import { useSession } from './session.ts'
import { colorSchemeManager, cssVariables, theme } from './theme.ts'

/** The login screen knows nothing of the console behind it, and loads nothing of it. */
const LoginScreen = lazy(() => import('../features/auth/LoginScreen.tsx'))
const Console = lazy(async () => {
  const [screens] = await Promise.all([import('./Console.tsx'), loadCatalogue()])
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
      <CrashBoundary>
        <Suspense>
          <Gate />
        </Suspense>
      </CrashBoundary>
    </MantineProvider>
  )
}

/** What the browser remembers decides at once; `startSession` asks the server meanwhile. */
function Gate() {
  const { state } = useSession()
  if (state === 'unknown') return null
  return state === 'signed-in' ? <Console /> : <LoginScreen />
}
