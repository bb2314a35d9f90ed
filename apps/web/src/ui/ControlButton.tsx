import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

/** Something that the user can do now, and whether it is under way. */
export interface Control {
  readonly run: () => void
  readonly isRunning: boolean
}

interface Props {
  /** Null if it does not apply. */
  readonly control: Control | null
  readonly label: string
  readonly icon: Icon
  readonly isPrimary?: boolean
}

export function ControlButton({ control, label, icon: Icon, isPrimary = false }: Props) {
  if (control === null) return null
  return (
    <Button
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<Icon size={16} />}
      loading={control.isRunning}
      onClick={control.run}
    >
      {label}
    </Button>
  )
}
