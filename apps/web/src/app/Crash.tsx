import { Button, Group, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../platform/api-error.ts'
import { loadCode } from '../platform/load-code.ts'
import styles from './Crash.module.css'

const reasons = new Map<string, 'newVersion' | 'unreachable'>([
  ['new_version', 'newVersion'],
  ['unreachable', 'unreachable'],
])

/** Replaces what threw an error, or whose code could not be loaded. */
export function Crash({ error }: { readonly error: unknown }) {
  const { t } = useTranslation()
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    // The URL is by now that of the screen, so a reload shows it.
    loadCode(() => Promise.reject(error)).catch(setFailure)
  }, [error])
  if (failure === undefined) return null
  const reason = (failure instanceof ApiError && reasons.get(failure.code)) || 'failed'
  return (
    <div className={styles.crash} role="alert">
      <Title order={1}>{t(`crash.${reason}.title`)}</Title>
      <p className={styles.text}>{t(`crash.${reason}.text`)}</p>
      <Group>
        <Button onClick={() => location.reload()}>{t('crash.reload')}</Button>
      </Group>
    </div>
  )
}
