import { formatTime } from '@kustos/contract/grid'
import type { LogRow } from '@kustos/contract/logs'
import { Drawer, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { descriptionText } from '../../entities/audit-log/description-text.ts'
import { LogDifference } from '../../entities/audit-log/LogDifference.tsx'
import { LogSubject } from '../../entities/audit-log/LogEntries.tsx'
import { changesIn } from '../../entities/audit-log/value-lines.ts'
import type { ApiError } from '../../platform/api-error.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Failure } from '../../ui/Failure.tsx'

interface Props {
  /** The id of the requested entry; null if none is open. */
  readonly id: string | null
  /** Undefined while it loads or if it does not exist. */
  readonly entry: LogRow | undefined
  readonly isMissing: boolean
  readonly error: ApiError | null
  readonly onRetry: () => void
  readonly isRetrying: boolean
  readonly onClose: () => void
}

/** One entry in full, beside the log. */
export function EntryDrawer({ id, entry, isMissing, error, onRetry, isRetrying, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={entry !== undefined || isMissing || error !== null}
      onClose={onClose}
      position="right"
      size="min(640px, 100vw)"
      title={id === null ? '' : t('logs.screen.entry', { id })}
      closeButtonProps={{ 'aria-label': t('logs.screen.close') }}
    >
      {entry !== undefined && <Whole entry={entry} />}
      {isMissing && <Text>{t('logs.screen.missing')}</Text>}
      {error !== null && <Failure error={error} onRetry={onRetry} retrying={isRetrying} />}
    </Drawer>
  )
}

function Whole({ entry }: { readonly entry: LogRow }) {
  const { t } = useTranslation()
  const heading = useId()
  return (
    <Stack gap="md">
      <FactList>
        <dt>{t('logs.screen.time')}</dt>
        <dd>{formatTime(entry.created_at)}</dd>
        <dt>{t('logs.filters.log')}</dt>
        <dd>{entry.log_name}</dd>
        <dt>{t('logs.screen.description')}</dt>
        <dd>{descriptionText(t, entry.description)}</dd>
        <dt>{t('logs.screen.subject')}</dt>
        <dd>
          {entry.subject_type === null ? (
            '–'
          ) : (
            <>
              <LogSubject entry={entry} />
              {entry.subject_name !== null && (
                <Text span c="dimmed">
                  {` ${entry.subject_type} ${entry.subject_id ?? ''}`}
                </Text>
              )}
            </>
          )}
        </dd>
        <dt>{t('logs.filters.causer')}</dt>
        <dd>{entry.causer ?? t('logs.filters.nobody')}</dd>
      </FactList>
      <section aria-labelledby={heading}>
        <Title order={3} id={heading} mb={4}>
          {t('logs.screen.properties')}
        </Title>
        {changesIn(entry).length === 0 ? (
          <Text c="dimmed">{t('logs.screen.noProperties')}</Text>
        ) : (
          <LogDifference entry={entry} whole />
        )}
      </section>
    </Stack>
  )
}
