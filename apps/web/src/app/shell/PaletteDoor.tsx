import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Shell.module.css'

/** Comes with the first wish for it. */
const Palette = lazy(async () => ({ default: (await import('../palette/Palette.tsx')).Palette }))

/** Apple's keyboards have a key of their own for shortcuts. */
const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

/** Opens the command palette, by its button or from anywhere by mod+K. */
export function PaletteDoor() {
  const { t } = useTranslation()
  const [state, setState] = useState<'unasked' | 'open' | 'closed'>('unasked')
  const open = () => setState('open')
  // While somebody writes, too.
  useHotkeys([['mod+K', open]], [])
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
