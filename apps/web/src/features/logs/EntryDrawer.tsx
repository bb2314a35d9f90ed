import { formatTime } from '@kustos/contract/grid'
import type { LogRow } from '@kustos/contract/logs'
import { Drawer, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { descriptionText, logNameText, subjectIdText } from '../../entities/audit-log/description-text.ts'
import { changesIn } from '../../entities/audit-log/format-value.ts'
import { LogDifference } from '../../entities/audit-log/LogDifference.tsx'
import { LogSubject } from '../../entities/audit-log/LogEntries.tsx'
import { RevertButton, RevertRefusal } from '../../entities/audit-log/RevertButton.tsx'
import { FactList } from '../../ui/FactList.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useReferences } from './References.tsx'
import type { useOpenEntry } from './use-open-entry.ts'

/** One entry in full, beside the log. */
export function EntryDrawer({ state }: { readonly state: ReturnType<typeof useOpenEntry> }) {
  const { id, entry, isMissing, error } = state
  const { t } = useTranslation()
  return (
    <Drawer
      opened={entry !== undefined || isMissing || error !== null}
      onClose={state.close}
      position="right"
      size="min(640px, 100vw)"
      title={id === null ? '' : t('logs.screen.entry', { id })}
      closeButtonProps={{ 'aria-label': t('logs.screen.close') }}
    >
      {entry !== undefined && <Whole entry={entry} />}
      {isMissing && <Text>{t('logs.screen.missing')}</Text>}
      {error !== null && <Failure error={error} onRetry={state.retry} retrying={state.isRetrying} />}
    </Drawer>
  )
}

function Whole({ entry }: { readonly entry: LogRow }) {
  const { t } = useTranslation()
  const heading = useId()
  const references = useReferences(entry)
  const subject =
    entry.subject_type === null ? (
      '–'
    ) : (
      <>
        <LogSubject entry={entry} />
        {entry.subject_name !== null && (
          <Text span c="dimmed">
            {` ${subjectIdText(t, entry)}`}
          </Text>
        )}
      </>
    )
  return (
    <Stack gap="md">
      <FactList
        facts={[
          [t('logs.screen.time'), formatTime(entry.created_at)],
          [t('logs.filters.log'), logNameText(t, entry.log_name)],
          [t('logs.screen.description'), descriptionText(t, entry.description)],
          [t('logs.screen.subject'), subject],
          [t('logs.filters.causer'), entry.causer ?? t('logs.filters.nobody')],
          ...(entry.request_id === null ? [] : [[t('logs.screen.requestId'), entry.request_id] as const]),
          ...references.map(([field, link]) => [t(`logs.fields.${field as 'deployment'}`), link] as const),
        ]}
      />
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
      <RevertButton key={entry.id} entry={entry} />
      <RevertRefusal entry={entry} />
    </Stack>
  )
}
