import type { BatchPreview } from '@kustos/contract/batches'
import { List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { storedText } from '../../platform/message-text.ts'

/** At most this many webs that are skipped are named. */
const maxNamed = 8

/** Names webs that a batch would skip, and why. */
export const textsOfSkipped = ({ skipped }: BatchPreview): string[] =>
  skipped
    .slice(0, maxNamed)
    .map((web) => `${web.fqdn ?? web.web_id}: ${storedText(web.reason, web.reason_code, web.reason_params)}`)

/** The webs that a batch would skip; nothing if there are none. */
export function SkippedWebs({ preview }: { readonly preview: BatchPreview }) {
  const { t } = useTranslation()
  const { length: count } = preview.skipped
  if (count === 0) return null
  return (
    <div>
      <Text fw={500}>{t('batches.request.skipped', { count })}</Text>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {textsOfSkipped(preview).map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
        {count > maxNamed && <List.Item>{t('batches.request.more', { count: count - maxNamed })}</List.Item>}
      </List>
    </div>
  )
}
