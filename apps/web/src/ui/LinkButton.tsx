import type { Access } from '@kustos/contract/permissions'
import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { Can } from './Can.tsx'

interface Props {
  readonly to: string
  readonly label: string
  readonly icon?: Icon
  /** Who sees the button; everyone by default. */
  readonly access?: Access
  readonly variant?: 'filled' | 'default'
}

export function LinkButton({ to, label, icon: Icon, access = 'public', variant = 'filled' }: Props) {
  return (
    <Can access={access}>
      <Button component={Link} to={to} variant={variant} leftSection={Icon && <Icon size={16} />}>
        {label}
      </Button>
    </Can>
  )
}
