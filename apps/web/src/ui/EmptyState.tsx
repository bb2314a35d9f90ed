import { Stack, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props {
  readonly icon: Icon
  readonly title: string
  readonly hint?: string
  readonly action?: ReactNode
}

export function EmptyState({ icon: Icon, title, hint, action }: Props) {
  return (
    <Stack align="center" gap={4} px="md" py={48} ta="center">
      <Icon size={28} stroke={1.5} color="var(--mantine-color-dimmed)" aria-hidden="true" />
      <Text fw={500} mt="xs">
        {title}
      </Text>
      {hint !== undefined && <Text c="dimmed">{hint}</Text>}
      {action !== undefined && <div style={{ marginTop: 12 }}>{action}</div>}
    </Stack>
  )
}
