import { AppShell, Drawer } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { Header } from './Header.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { useActiveScreen } from './use-active-screen.ts'

const year = new Date().getFullYear()

/** Header, sidebar and footer around every screen. */
export function Shell() {
  const { t } = useTranslation()
  const [folded, setFolded] = useLocalStorage({
    key: 'kustos.sidebarFolded',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [drawerOpen, drawer] = useDisclosure(false)
  const main = useArrival(drawer.close)

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: folded ? 57 : 232, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding="md"
      transitionDuration={120}
    >
      {/* biome-ignore lint/a11y/useValidAnchor: it leads somewhere, within the page. */}
      <a
        href="#main"
        className={styles.skip}
        onClick={(event) => {
          // An entry of the history that the router has not made would get past the question about unsaved input.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t('shell.skip')}
      </a>
      <AppShell.Header>
        <Header
          folded={folded}
          onFold={() => setFolded(!folded)}
          drawerOpen={drawerOpen}
          onOpenDrawer={drawer.open}
        />
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        visibleFrom="sm"
        aria-label={t('shell.navigation')}
        className={styles.navbar}
        mod={{ folded }}
      >
        <Sidebar folded={folded} />
      </AppShell.Navbar>
      <Drawer
        opened={drawerOpen}
        onClose={drawer.close}
        size={264}
        title={t('app.title')}
        hiddenFrom="sm"
        closeButtonProps={{ 'aria-label': t('shell.closeSidebar') }}
      >
        <nav aria-label={t('shell.navigation')}>
          <Sidebar folded={false} />
        </nav>
      </Drawer>
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <div className={styles.screen}>
          <Outlet />
        </div>
        <footer className={styles.footer}>{t('shell.copyright', { year })}</footer>
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  )
}

/**
 * What happens when another screen is reached: the document is named after it, the drawer closes, and the
 * keyboard's focus goes to its beginning.
 */
function useArrival(onArrival: () => void) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const screen = useActiveScreen()
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)

  // A layout effect, so that a screen can give itself a longer title in an ordinary one.
  useLayoutEffect(() => {
    const title = screen === undefined ? t('notFound.title') : t(`screens.${screen}.title`)
    document.title = `${title} · ${t('app.title')}`
  }, [screen, t])

  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    onArrival()
    main.current?.focus({ preventScroll: true })
  }, [pathname, onArrival])

  return main
}
