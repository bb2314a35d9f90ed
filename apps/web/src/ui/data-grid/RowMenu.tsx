import { Menu } from '@mantine/core'
import { ActionItems } from '../ActionItems.tsx'
import { Anchor, type Place } from './anchor.tsx'
import type { RowAction } from './types.ts'

interface Props {
  readonly place: Place
  readonly label: string
  readonly actions: readonly RowAction[]
  readonly onClose: () => void
}

/** What can be done with one row; mounted while it is open. */
export function RowMenu({ place, label, actions, onClose }: Props) {
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
        <Anchor place={place} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
        <ActionItems actions={actions} />
      </Menu.Dropdown>
    </Menu>
  )
}
