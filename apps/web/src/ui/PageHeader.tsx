import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** Beside the title: chips, a count. */
  readonly beside?: ReactNode
  /** At the right end: what can be done here. */
  readonly actions?: ReactNode
}

/** Titles longer than this may be cut on a phone, and then say all in a tooltip. */
const long = 70

/** The heading of a screen. */
export function PageHeader({ title, beside, actions }: Props) {
  return (
    <Group justify="space-between" gap="sm" mb="md" mih={32} flex="none">
      <Group gap="sm" miw={0}>
        <Title
          order={1}
          lineClamp={3}
          title={title.length > long ? title : undefined}
          style={{ overflowWrap: 'anywhere' }}
        >
          {title}
        </Title>
        {beside}
      </Group>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
