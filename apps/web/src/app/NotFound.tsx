import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'

export function NotFound() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  return (
    <Stack align="center" justify="center" flex={1} gap="xs" py={64} ta="center">
      <Title order={1} fz={48}>
        {t('notFound.title')}
      </Title>
      <Text style={{ overflowWrap: 'anywhere' }}>{t('notFound.text', { path: pathname })}</Text>
      <Button component={Link} to="/" mt="sm">
        {t('notFound.home')}
      </Button>
    </Stack>
  )
}
