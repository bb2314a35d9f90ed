import { Avatar, Button, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconLogout, IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import { notifyFailed } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { signOut, useUser } from '../session.ts'

/** The first letters of the first and the last name. */
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
  const confirm = useConfirm()
  const navigate = useNavigate()
  if (user === null) return null

  const logout = async () => {
    if (!(await confirm({ title: t('shell.logout'), text: t('shell.logoutConfirm') }))) return
    await navigate('/')
    // Unsaved changes hold the user where they are: then they are asked about these first.
    if (window.location.pathname !== '/') return
    try {
      await signOut()
    } catch (error) {
      notifyFailed(t('shell.logout'), error)
    }
  }

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
