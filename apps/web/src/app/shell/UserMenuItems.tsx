import { Kbd, Menu, Text } from '@mantine/core'
import { IconKeyboard, IconLogout, IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { OpenedMenu, type OpenedMenuProps } from '../../ui/menu/OpenedMenu.tsx'
import { showKeys } from '../keys/keys-state.ts'
import { useSignOut } from './use-sign-out.ts'

export default function UserMenuItems(props: OpenedMenuProps) {
  const { t } = useTranslation()
  const user = useUser()
  const logout = useSignOut()
  if (user === null) return null
  return (
    <OpenedMenu {...props} label={t('shell.userMenu', { name: user.name })} position="bottom-end" width={220}>
      <Menu.Label>
        <Text span display="block" fw={500} c="bright" truncate>
          {user.name}
        </Text>
        <Text span display="block" size="xs" c="dimmed" truncate>
          {user.email}
        </Text>
      </Menu.Label>
      <Menu.Divider />
      <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} />}>
        {t('shell.settings')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconKeyboard size={16} />}
        rightSection={<Kbd size="xs">?</Kbd>}
        onClick={() => showKeys(true)}
      >
        {t('shell.keys')}
      </Menu.Item>
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logout()}>
        {t('shell.logout')}
      </Menu.Item>
    </OpenedMenu>
  )
}
