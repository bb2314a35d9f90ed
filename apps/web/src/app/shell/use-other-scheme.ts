import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** How to turn to the other colour scheme, and the key of the text that says so. */
export function useOtherScheme() {
  const { setColorScheme } = useMantineColorScheme()
  return useComputedColorScheme('light') === 'dark'
    ? ({ label: 'shell.toLight', icon: IconSun, turn: () => setColorScheme('light') } as const)
    : ({ label: 'shell.toDark', icon: IconMoon, turn: () => setColorScheme('dark') } as const)
}
