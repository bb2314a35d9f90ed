import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** Toggles the colour scheme, with the label and the icon of the button that does it. */
export function useToggleColorScheme() {
  const { setColorScheme } = useMantineColorScheme()
  return useComputedColorScheme('light') === 'dark'
    ? ({ label: 'shell.toLight', icon: IconSun, toggle: () => setColorScheme('light') } as const)
    : ({ label: 'shell.toDark', icon: IconMoon, toggle: () => setColorScheme('dark') } as const)
}
