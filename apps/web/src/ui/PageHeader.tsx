import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  readonly beside?: ReactNode
  readonly actions?: ReactNode
}

/** Longer titles may be cut on phones, so they have a tooltip. */
const maxLengthWithoutTooltip = 70

export function PageHeader({ title, beside, actions }: Props) {
  return (
    <Group justify="space-between" gap="sm" mb="md" mih={32} flex="none">
      <Group gap="sm" miw={0}>
        <Title
          order={1}
          lineClamp={3}
          title={title.length > maxLengthWithoutTooltip ? title : undefined}
          style={{ overflowWrap: 'anywhere' }}
          className="mantine-focus-auto"
          tabIndex={-1}
          data-focus-fallback=""
        >
          {title}
        </Title>
        {beside}
      </Group>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
