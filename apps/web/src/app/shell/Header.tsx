import { ActionIcon } from '@mantine/core'
import { IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigation } from 'react-router-dom'
import { Mark } from '../../ui/Mark.tsx'
import { CommandPaletteButton } from './CommandPaletteButton.tsx'
import { DownIndicator } from './DownIndicator.tsx'
import styles from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'
import { useToggleColorScheme } from './use-toggle-color-scheme.ts'

interface Props {
  readonly folded: boolean
  readonly onFold: () => void
  readonly drawerOpen: boolean
  readonly onOpenDrawer: () => void
}

export function Header({ folded, onFold, drawerOpen, onOpenDrawer }: Props) {
  const { t } = useTranslation()
  const { state } = useNavigation()
  const fold = t(folded ? 'shell.expandSidebar' : 'shell.collapseSidebar')
  return (
    <div className={styles.header} style={{ height: '100%' }}>
      <ActionIcon
        size="lg"
        visibleFrom="sm"
        aria-label={fold}
        data-shell-tip={fold}
        aria-expanded={!folded}
        onClick={onFold}
      >
        <IconLayoutSidebar size={18} />
      </ActionIcon>
      <ActionIcon
        size="lg"
        hiddenFrom="sm"
        aria-label={t('shell.openSidebar')}
        aria-expanded={drawerOpen}
        onClick={onOpenDrawer}
      >
        <IconMenu2 size={18} />
      </ActionIcon>
      <Link to="/" className={styles.title}>
        <Mark />
        <span className={styles.name}>{t('app.title')}</span>
      </Link>
      <CommandPaletteButton />
      <DownIndicator />
      <ColorSchemeSwitch />
      <UserMenu />
      {state === 'loading' && <div className={styles.busy} />}
    </div>
  )
}

function ColorSchemeSwitch() {
  const { t } = useTranslation()
  const { label: key, icon: Icon, toggle } = useToggleColorScheme()
  const label = t(key)
  return (
    <ActionIcon size="lg" aria-label={label} data-shell-tip={label} onClick={toggle}>
      <Icon size={18} />
    </ActionIcon>
  )
}
