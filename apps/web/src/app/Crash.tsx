import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Stands where a screen threw, or where its code could not be loaded (a newer build took its place). */
export function Crash() {
  const { t } = useTranslation()
  return (
    <Stack align="center" justify="center" flex={1} gap="xs" py={64} ta="center" role="alert">
      <Title order={1}>{t('crash.title')}</Title>
      <Text c="dimmed">{t('crash.text')}</Text>
      <Button mt="sm" onClick={() => location.reload()}>
        {t('crash.reload')}
      </Button>
    </Stack>
  )
}
