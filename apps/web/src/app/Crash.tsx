import { Button, Group, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Crash.module.css'
import { isMissingCode, isServerReachable, reloadOnce } from './new-version.ts'

/** Replaces what threw an error. An upgrade removes the code of the version that is open: then the page reloads once. */
export function Crash({ error }: { readonly error: unknown }) {
  const { t } = useTranslation()
  const isMissing = isMissingCode(error)
  const [isReachable, setReachable] = useState<boolean>()
  useEffect(() => {
    if (!isMissing) return
    void isServerReachable().then((reachable) => {
      if (!reachable || !reloadOnce()) setReachable(reachable)
    })
  }, [isMissing])
  if (isMissing && isReachable === undefined) return null
  const reason = !isMissing ? 'failed' : isReachable ? 'newVersion' : 'unreachable'
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
