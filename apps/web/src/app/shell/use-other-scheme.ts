import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { type Icon, IconMoon, IconSun } from '@tabler/icons-react'

interface OtherScheme {
  /** Key of the text that describes `turn`. */
  readonly label: 'shell.toDark' | 'shell.toLight'
  readonly icon: Icon
  readonly turn: () => void
}

export function useOtherScheme(): OtherScheme {
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  return {
    label: other === 'dark' ? 'shell.toDark' : 'shell.toLight',
    icon: other === 'dark' ? IconMoon : IconSun,
    turn: () => setColorScheme(other),
  }
}
