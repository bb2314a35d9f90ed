import { Avatar, Button, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconLogout, IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { useSignOut } from './use-sign-out.ts'

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0],
  )
  return letters.join('').toUpperCase()
}

export function UserMenu() {
  const { t } = useTranslation()
  const user = useUser()
  const logout = useSignOut()
  if (user === null) return null

  return (
    <Menu position="bottom-end" width={220} withinPortal={false}>
      <Menu.Target>
        <Button variant="subtle" color="gray" px={6} rightSection={<IconChevronDown size={14} />}>
          <Avatar size={26} color="teal" variant="filled" aria-hidden="true">
            {initials(user.name)}
          </Avatar>
          <VisuallyHidden>{t('shell.userMenu', { name: user.name })}</VisuallyHidden>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
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
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logout()}>
          {t('shell.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
