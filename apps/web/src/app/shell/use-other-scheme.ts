import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { type Icon, IconMoon, IconSun } from '@tabler/icons-react'

interface OtherScheme {
  /** Of the text that says what `turn` does. */
  readonly label: 'shell.toDark' | 'shell.toLight'
  readonly icon: Icon
  readonly turn: () => void
}

/** The colour scheme that is not shown; Settings has the way back to the system's. */
export function useOtherScheme(): OtherScheme {
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  return {
    label: other === 'dark' ? 'shell.toDark' : 'shell.toLight',
    icon: other === 'dark' ? IconMoon : IconSun,
    turn: () => setColorScheme(other),
  }
}
