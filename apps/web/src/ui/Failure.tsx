import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../app/api-error.ts'
import { sentence } from '../app/sentences.ts'

interface Props {
  readonly error: ApiError
  readonly onRetry: () => void
  readonly retrying: boolean
  /** Whether what was loaded before is still on the screen. */
  readonly stale?: boolean
}

/** The server's sentence, and another try. */
export function Failure({ error, onRetry, retrying, stale = false }: Props) {
  const { t } = useTranslation()
  return (
    <Alert color="red" variant="outline" role="alert" icon={<IconAlertTriangle size={16} />} p="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={500}>{t('ui.query.failed')}</Text>
          <Text>
            {sentence(error.error ?? error.message)} {stale && t('ui.query.stale')}
          </Text>
        </div>
        <Button variant="default" onClick={onRetry} loading={retrying}>
          {t('ui.query.retry')}
        </Button>
      </Group>
    </Alert>
  )
}
