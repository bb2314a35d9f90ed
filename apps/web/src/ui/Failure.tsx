import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../platform/api-error.ts'
import { errorText } from '../platform/message-text.ts'

interface Props {
  readonly error: ApiError
  readonly onRetry: () => void
  readonly retrying: boolean
  /** Whether older data is still shown. */
  readonly stale?: boolean
}

export function Failure({ error, onRetry, retrying, stale = false }: Props) {
  const { t } = useTranslation()
  return (
    <Alert color="red" variant="outline" role="alert" icon={<IconAlertTriangle size={16} />} p="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={500}>{t('ui.query.failed')}</Text>
          <Text>
            {errorText(error)} {stale && t('ui.query.stale')}
          </Text>
        </div>
        <Button variant="default" onClick={onRetry} loading={retrying}>
          {t('ui.query.retry')}
        </Button>
      </Group>
    </Alert>
  )
}
