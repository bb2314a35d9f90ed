import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Shell.module.css'
import { dropTyped, gatherTyped } from './typed-ahead.ts'

const load = () => import('../palette/Palette.tsx')
const Palette = lazy(async () => ({ default: (await load()).Palette }))

/** So long after the shell the palette is fetched, so that it is there when it is wanted. In milliseconds. */
const fetchAfter = 1500

/** Apple's keyboards have a key of their own for shortcuts. */
const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

/** Opens the command palette, by its button or from anywhere by mod+K. */
export function PaletteDoor() {
  const { t } = useTranslation()
  const [state, setState] = useState<'unasked' | 'open' | 'closed'>('unasked')
  const open = () => setState('open')
  const openByKey = () => {
    if (state !== 'open') gatherTyped()
    open()
  }
  // While somebody writes, too.
  useHotkeys([['mod+K', openByKey]], [])
  useEffect(() => {
    // Where it cannot be had now, whoever opens it is told.
    const timer = setTimeout(() => void load().catch(() => undefined), fetchAfter)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => dropTyped, [])
  const a11y = { 'aria-haspopup': 'dialog', 'aria-keyshortcuts': 'Control+K Meta+K', onClick: open } as const
  return (
    <>
      <UnstyledButton {...a11y} className={styles.search} visibleFrom="sm">
        <IconSearch size={16} aria-hidden="true" />
        <span className={styles.searchText}>{t('palette.open')}</span>
        <Kbd size="xs" aria-hidden="true">
          {shortcut}
        </Kbd>
      </UnstyledButton>
      <ActionIcon {...a11y} size="lg" hiddenFrom="sm" aria-label={t('palette.open')}>
        <IconSearch size={18} />
      </ActionIcon>
      {state !== 'unasked' && (
        <Suspense>
          <Palette opened={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  )
}
