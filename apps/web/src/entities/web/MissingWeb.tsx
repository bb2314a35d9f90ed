import { Button, Group } from '@mantine/core'
import { IconWorldOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../ui/EmptyState.tsx'

interface Props {
  readonly id: string
  readonly back: { readonly to: string; readonly label: string }
  /** Another next step than back. */
  readonly elsewhere?: ReactNode
}

export function MissingWeb({ id, back, elsewhere }: Props) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconWorldOff}
      title={t('ui.web.missing', { id })}
      hint={t('ui.web.missingHint')}
      action={
        <Group gap="xs" justify="center">
          <Button component={Link} to={back.to}>
            {back.label}
          </Button>
          {elsewhere}
        </Group>
      }
    />
  )
}
