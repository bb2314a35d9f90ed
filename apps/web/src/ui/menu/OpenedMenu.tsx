import { Menu, type MenuProps } from '@mantine/core'
import { type ReactNode, type Ref, useLayoutEffect } from 'react'

export interface OpenedMenuProps {
  readonly target: HTMLElement
  readonly onClose: () => void
}

interface Props
  extends OpenedMenuProps,
    Pick<MenuProps, 'position' | 'offset' | 'width' | 'closeOnItemClick'> {
  readonly label: string
  readonly children: ReactNode
}

/** A menu at a button that it does not render, mounted while it is open. Loaded later than the button. */
export function OpenedMenu({ target, label, onClose, children, ...props }: Props) {
  return (
    <Menu
      {...props}
      opened
      returnFocus={false}
      withinPortal={false}
      onChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Reference element={target} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Stands for an element outside: a click on that is then not one outside the menu. */
function Reference({ element, ref }: { readonly element: HTMLElement; readonly ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return
    const forget = ref(element)
    return () => {
      if (typeof forget === 'function') forget()
      else ref(null)
    }
  }, [element, ref])
  return null
}
