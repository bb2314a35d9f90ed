import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLayoutSidebar, IconMenu2, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigation } from 'react-router-dom'
import { Mark } from '../../ui/Mark.tsx'
import { DownIndicator } from './DownIndicator.tsx'
import styles from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'

interface Props {
  readonly folded: boolean
  readonly onFold: () => void
  readonly drawerOpen: boolean
  readonly onOpenDrawer: () => void
}

export function Header({ folded, onFold, drawerOpen, onOpenDrawer }: Props) {
  const { t } = useTranslation()
  const { state } = useNavigation()
  const fold = t(folded ? 'shell.unfoldSidebar' : 'shell.foldSidebar')
  return (
    <div className={styles.header} style={{ height: '100%' }}>
      <Tooltip label={fold}>
        <ActionIcon size="lg" visibleFrom="sm" aria-label={fold} aria-expanded={!folded} onClick={onFold}>
          <IconLayoutSidebar size={18} />
        </ActionIcon>
      </Tooltip>
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
        {t('app.title')}
      </Link>
      <DownIndicator />
      <ColorSchemeSwitch />
      <UserMenu />
      {state === 'loading' && <div className={styles.busy} />}
    </div>
  )
}

/** Turns to the other scheme; Settings has the way back to the system's. */
function ColorSchemeSwitch() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  const label = t(other === 'dark' ? 'shell.toDark' : 'shell.toLight')
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} onClick={() => setColorScheme(other)}>
        {other === 'dark' ? <IconMoon size={18} /> : <IconSun size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}
