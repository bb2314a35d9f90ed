import { Button, Progress, Text } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './add.module.css'
import type { Progress as RunProgress } from './use-add-domains.ts'

interface Props extends RunProgress {
  readonly onStop: () => void
}

export function AddProgress({ done, total, onStop }: Props) {
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
