import { Menu } from '@mantine/core'
import { ActionItems } from '../../ui/ActionItems.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { OpenedMenu, type OpenedMenuProps } from '../../ui/menu/OpenedMenu.tsx'

interface Props extends OpenedMenuProps {
  readonly label: string
  readonly handling: readonly RowAction[]
  /** What else the user can do about its subject. */
  readonly others: readonly RowAction[]
}

export default function EntryMenu({ handling, others, ...menu }: Props) {
  return (
    <OpenedMenu {...menu} position="bottom-end">
      <ActionItems actions={handling} />
      {others.length > 0 && <Menu.Divider />}
      <ActionItems actions={others} />
    </OpenedMenu>
  )
}
