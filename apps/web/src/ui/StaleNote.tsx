import { Group, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { timeAgo } from './times.ts'
import { useNow } from './use-now.ts'

interface Props {
  /** Unix milliseconds; null while the list is up to date. */
  readonly since: number | null | undefined
  readonly source: 'bitbucket' | 'limitis'
}

/** Shows the age of a list while its source is unreachable. */
export function StaleNote({ since, source }: Props) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  if (since === null || since === undefined) return null
  const ago = timeAgo(new Date(since).toISOString(), now, i18n.language)
  return (
    <Group gap={6} mb="xs" wrap="nowrap" c="dimmed" role="status">
      <IconCloudOff size={16} aria-hidden="true" style={{ flex: 'none' }} />
      <Text>{t(`${source}.stale`, { ago })}</Text>
    </Group>
  )
}
