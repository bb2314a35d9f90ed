import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { OpenedMenu, type OpenedMenuProps } from '../../ui/menu/OpenedMenu.tsx'
import { offeredChildren } from '../access.ts'
import type { Group } from '../screens.ts'

export default function FoldedGroupItems({ group, ...props }: OpenedMenuProps & { readonly group: Group }) {
  const { t } = useTranslation()
  const user = useUser()
  const title = t(`screens.${group.name}.title`)
  return (
    <OpenedMenu {...props} label={title} position="right-start" offset={8}>
      <Menu.Label>{title}</Menu.Label>
      {offeredChildren(group, user).map(({ name, path, icon: Icon }) => (
        <Menu.Item key={name} component={Link} to={path} leftSection={<Icon size={16} />}>
          {t(`screens.${name}.title`)}
        </Menu.Item>
      ))}
    </OpenedMenu>
  )
}
