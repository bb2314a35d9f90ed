import { Group, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Repositories } from '../app/repositories.ts'
import { timeAgo } from './times.ts'
import { useNow } from './use-now.ts'

/** A quiet line while Bitbucket is away: the list is usable, and this old. */
export function StaleNote({ repositories }: { readonly repositories: Repositories | undefined }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const since = repositories?.staleSince ?? null
  if (since === null) return null
  return (
    <Group gap={6} mb="xs" wrap="nowrap" c="dimmed" role="status">
      <IconCloudOff size={16} aria-hidden="true" style={{ flex: 'none' }} />
      <Text>{t('bitbucket.stale', { ago: timeAgo(new Date(since).toISOString(), now, i18n.language) })}</Text>
    </Group>
  )
}
