import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../platform/i18n.ts'
import { useModifierKey } from '../../ui/use-modifier-key.ts'
import { Crash } from '../Crash.tsx'
import { CrashBoundary } from '../CrashBoundary.tsx'
import type { EarlySearch } from '../palette/early-search.ts'
import { EarlyPalette } from './EarlyPalette.tsx'
import styles from './Shell.module.css'

async function load() {
  await loadTexts('screens')
  return import('../palette/Palette.tsx')
}
const Palette = lazy(async () => ({ default: (await load()).Palette }))

/** The palette is loaded ahead of its use, after the screen. */
const preloadDelayMs = 1500

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal()

export function CommandPaletteButton() {
  const { t } = useTranslation()
  const modifierKey = useModifierKey()
  const [state, setState] = useState<'unasked' | 'open' | 'closed'>('unasked')
  const [early, setEarly] = useState<EarlySearch>()
  const open = () => setState('open')
  function close() {
    setState('closed')
    setEarly(undefined)
  }
  // Also while an input has the focus.
  useHotkeys([['mod+K', open]], [])
  useEffect(() => {
    // A failed preload is repeated when the palette is opened.
    const timer = setTimeout(() => void load().catch(() => undefined), preloadDelayMs)
    return () => clearTimeout(timer)
  }, [])
  const a11y = { 'aria-haspopup': 'dialog', 'aria-keyshortcuts': 'Control+K Meta+K', onClick: open } as const
  return (
    <>
      <UnstyledButton {...a11y} className={styles.search} visibleFrom="sm">
        <IconSearch size={16} aria-hidden="true" />
        <span className={styles.searchText}>{t('shell.openPalette')}</span>
        <Kbd size="xs" aria-hidden="true">
          {modifierKey} K
        </Kbd>
      </UnstyledButton>
      <ActionIcon {...a11y} size="lg" hiddenFrom="sm" aria-label={t('shell.openPalette')}>
        <IconSearch size={18} />
      </ActionIcon>
      {state !== 'unasked' && (
        <CrashBoundary
          fallback={(error) => (
            // A dialog of Mantine's would be part of the first load.
            <dialog ref={showModal} onClose={() => setState('unasked')} aria-label={t('shell.openPalette')}>
              <Crash error={error} />
            </dialog>
          )}
        >
          <Suspense fallback={state === 'open' && <EarlyPalette onSearch={setEarly} onClose={close} />}>
            <Palette opened={state === 'open'} early={early} onClose={close} />
          </Suspense>
        </CrashBoundary>
      )}
    </>
  )
}
