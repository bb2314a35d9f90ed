import { Menu } from '@mantine/core'
import { ActionItems } from '../ActionItems.tsx'
import { type AnchorRect, OverlayAnchor } from './OverlayAnchor.tsx'
import type { RowAction } from './types.ts'

interface Props {
  readonly anchor: AnchorRect
  readonly label: string
  readonly actions: readonly RowAction[]
  readonly onClose: () => void
}

/** Mounted while it is open. */
export default function RowMenu({ anchor, label, actions, onClose }: Props) {
  return (
    <Menu
      opened
      returnFocus={false}
      // Within the screen's landmark, and outside what scrolls.
      withinPortal={false}
      onChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      position="bottom-start"
      offset={2}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <OverlayAnchor rect={anchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
        <ActionItems actions={actions} />
      </Menu.Dropdown>
    </Menu>
  )
}
