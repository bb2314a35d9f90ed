import { type Batch, batchColumns } from '@kustos/contract/batches'
import { formatTime } from '@kustos/contract/grid'
import { Anchor, Group, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { batchPath } from '../../entities/batch/batch-link.ts'
import { useEditTexts } from '../../entities/batch/use-edit-texts.ts'
import { useCheckEditTexts } from '../../entities/check/use-check-edit-texts.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { elapsedTime, timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'

const colors = {
  succeeded: 'teal',
  failed: 'red',
  skipped: 'yellow',
  cancelled: 'gray',
  running: 'orange',
} as const

/** In the order of the sentence and of the bar. */
const shown = Object.keys(colors) as (keyof typeof colors)[]

const toneOf = (state: Batch['state']) =>
  batchColumns.columns.find(({ key }) => key === 'state')?.options?.find(({ value }) => value === state)
    ?.tone ?? 'grey'

export function BatchProgress({ batch }: { readonly batch: Batch }) {
  const { t, i18n } = useTranslation()
  const { state, counts, total, requested_by: by, created_at: created } = batch
  const now = useNow(state === 'running' ? 1000 : 30_000)
  const edits = [...useEditTexts(batch.edits), ...useCheckEditTexts(batch.check)]
  const sentence = shown
    .filter((name) => name === 'succeeded' || (name !== 'skipped' && counts[name] > 0))
    .map((name) => t(`batches.counts.${name}`, { count: counts[name], total }))
    .join(', ')
  const ago = timeAgo(created, now, i18n.language)
  return (
    <div style={{ marginBottom: 12 }}>
      <Text c="dimmed" title={formatTime(created)}>
        {by === null ? ago : t('batches.requestedBy', { email: by.email, ago })}
        {` · ${elapsedTime(batch, now, i18n.language)}`}
      </Text>
      {batch.reverts_batch !== null && (
        <Anchor component={Link} to={batchPath(batch.reverts_batch)}>
          {t('batches.reverts', { id: batch.reverts_batch })}
        </Anchor>
      )}
      {edits.map((text) => (
        <Text key={text}>{text}</Text>
      ))}
      <Group gap="sm" my={6}>
        <StatusChip tone={toneOf(state)} text={t(`gridLabels.batches.options.state.${state}`)} />
        <Text role="status">{sentence}</Text>
        {counts.skipped > 0 && (
          <StatusChip tone="orange" text={t('batches.counts.skipped', { count: counts.skipped, total })} />
        )}
      </Group>
      <Progress.Root size="lg" aria-hidden>
        {shown.map((name) => (
          <Progress.Section key={name} value={(counts[name] / total) * 100} color={colors[name]} />
        ))}
      </Progress.Root>
    </div>
  )
}
