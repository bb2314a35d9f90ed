import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Sidebar } from './Sidebar.tsx'

/** Otherwise the drawer would focus its close button. */
const markFirstLink = (navigation: HTMLElement | null) =>
  navigation?.querySelector('a')?.setAttribute('data-autofocus', '')

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

export default function SidebarDrawer({ opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={264}
      title={t('app.title')}
      hiddenFrom="sm"
      closeButtonProps={{ 'aria-label': t('shell.closeSidebar') }}
    >
      <nav aria-label={t('shell.navigation')} ref={markFirstLink}>
        <Sidebar folded={false} />
      </nav>
    </Drawer>
  )
}
