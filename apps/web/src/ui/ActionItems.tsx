import { Menu } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { RowAction } from './data-grid/types.ts'

export function ActionItems({ actions }: { readonly actions: readonly RowAction[] }) {
  return actions.map((action) => {
    const item = {
      leftSection: <action.icon size={16} />,
      disabled: action.disabled === true,
      // Plain red has too little contrast for text.
      ...(action.danger && { color: 'red', c: 'var(--mantine-color-error)' }),
    }
    return 'to' in action ? (
      <Menu.Item key={action.key} {...item} component={Link} to={action.to}>
        {action.label}
      </Menu.Item>
    ) : (
      <Menu.Item key={action.key} {...item} onClick={action.run}>
        {action.label}
      </Menu.Item>
    )
  })
}
