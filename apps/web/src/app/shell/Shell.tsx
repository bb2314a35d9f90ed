import { useDisclosure, useDocumentTitle, useLocalStorage } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { sleep } from '../../platform/coalesce.ts'
import { loadTexts } from '../../platform/i18n.ts'
import { lazyPart, loadDelayMs, retryLoad } from '../../platform/load-code.ts'
import { NavigationBlocker } from '../../ui/NavigationBlocker.tsx'
import { Keys } from '../keys/Keys.tsx'
import { Header } from './Header.tsx'
import { OfflineNote } from './OfflineNote.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { useActiveScreen } from './use-active-screen.ts'
import { useSignOutOnArrival } from './use-sign-out-on-arrival.ts'

const SidebarDrawer = lazyPart(() => import('./SidebarDrawer.tsx'))
const Tips = lazy(async () => {
  await sleep(loadDelayMs)
  return retryLoad(() => import('./Tips.tsx'))
})
const Notifiers = lazy(async () => {
  await sleep(loadDelayMs)
  return retryLoad(async () => {
    await loadTexts('screens')
    return import('./Notifiers.tsx')
  })
})

const year = new Date().getFullYear()

export function Shell() {
  const { t } = useTranslation()
  const [folded, setFolded] = useLocalStorage({
    key: 'kustos.sidebarFolded',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [wasOpened, setWasOpened] = useState(false)
  const [drawerOpen, drawer] = useDisclosure(false, { onOpen: () => setWasOpened(true) })
  const main = useArrival(drawer.close)
  useSignOutOnArrival()
  const shell = useRef<HTMLDivElement>(null)

  return (
    <div ref={shell} className={styles.shell} data-folded={folded || undefined}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads somewhere, within the page. */}
      <a
        href="#main"
        className={styles.skip}
        onClick={(event) => {
          // A native hash navigation would bypass the question about unsaved changes.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t('shell.skip')}
      </a>
      <header className={styles.top}>
        <Header
          folded={folded}
          onFold={() => setFolded(!folded)}
          drawerOpen={drawerOpen}
          onOpenDrawer={drawer.open}
        />
      </header>
      <nav aria-label={t('shell.navigation')} className={styles.navbar}>
        <Sidebar folded={folded} />
      </nav>
      {wasOpened && (
        <Suspense>
          <SidebarDrawer opened={drawerOpen} onClose={drawer.close} />
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <OfflineNote />
        <div className={styles.screen}>
          <NavigationBlocker>
            <Outlet />
          </NavigationBlocker>
        </div>
        <footer className={styles.footer}>{t('shell.copyright', { year })}</footer>
      </main>
      <Suspense>
        <Tips shell={shell} />
      </Suspense>
      <Suspense>
        <Notifiers />
      </Suspense>
      <Keys />
      <ScrollRestoration />
    </div>
  )
}

/** Sets the document's title, closes the drawer after a navigation, and focuses the screen if it is another one. */
function useArrival(closeDrawer: () => void) {
  const { t } = useTranslation()
  const { pathname, key } = useLocation()
  const screen = useActiveScreen()
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)

  // Sets the title in a layout effect, so that a screen's own effect can set a longer title.
  const title = screen === undefined ? t('notFound.title') : t(`screens.${screen.name}.title`)
  useDocumentTitle(`${title} · ${t('app.title')}`)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same screen may show another view.
  useEffect(closeDrawer, [key, closeDrawer])
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // The palette may have been opened while the screen was loading.
    if (document.querySelector('[data-palette]') === null) main.current?.focus({ preventScroll: true })
  }, [pathname])

  return main
}
