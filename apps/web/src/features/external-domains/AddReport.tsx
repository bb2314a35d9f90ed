import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../platform/message-text.ts'
import type { Outcome } from './use-add-domains.ts'

interface Props {
  readonly outcome: Outcome
  readonly onRetry: () => void
}

export function AddReport({
  outcome: { added, failed, unsent, isWorthRetrying, blockingError },
  onRetry,
}: Props) {
  const { t } = useTranslation()
  if (failed === 0 && unsent === 0) return null
  const title =
    blockingError !== null
      ? errorText(blockingError)
      : t(unsent > 0 ? 'limitis.add.stopped' : 'limitis.add.someFailed')
  return (
    <Alert
      color={blockingError === null && failed === 0 ? 'gray' : 'red'}
      role="alert"
      icon={<IconAlertTriangle size={16} />}
    >
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={500}>{title}</Text>
          <Text>
            {[
              t('limitis.add.addedCount', { count: added }),
              failed > 0 && t('limitis.add.failedCount', { count: failed }),
              unsent > 0 && t('limitis.add.unsentCount', { count: unsent }),
            ]
              .filter((sentence) => sentence !== false)
              .join(' ')}
          </Text>
        </div>
        {isWorthRetrying && (
          <Button variant="default" onClick={onRetry}>
            {t('limitis.add.again')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
