import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../platform/message-text.ts'
import styles from './add.module.css'
import type { Outcome, Progress as RunProgress } from './use-adding.ts'

interface RunningProps extends RunProgress {
  readonly onStop: () => void
}

export function Running({ done, total, onStop }: RunningProps) {
  const { t } = useTranslation()
  const text = t('limitis.add.progress', { done, total })
  return (
    <div className={styles.progress}>
      <Progress.Root className={styles.track} size="md">
        <Progress.Section
          value={(done / total) * 100}
          aria-label={t('limitis.add.progressLabel')}
          aria-valuetext={text}
        />
      </Progress.Root>
      <Text>{text}</Text>
      <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={onStop}>
        {t('limitis.add.stop')}
      </Button>
    </div>
  )
}

interface ReportProps {
  readonly outcome: Outcome
  readonly onAgain: () => void
}

export function Report({
  outcome: { added, failed, unsent, isWorthRetrying, obstacle },
  onAgain,
}: ReportProps) {
  const { t } = useTranslation()
  if (failed === 0 && unsent === 0) return null
  const title =
    obstacle !== null ? errorText(obstacle) : t(unsent > 0 ? 'limitis.add.stopped' : 'limitis.add.partly')
  return (
    <Alert
      color={obstacle === null && failed === 0 ? 'gray' : 'red'}
      variant="outline"
      role="alert"
      p="sm"
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
              .filter((said) => said !== false)
              .join(' ')}
          </Text>
        </div>
        {isWorthRetrying && (
          <Button variant="default" onClick={onAgain}>
            {t('limitis.add.again')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
