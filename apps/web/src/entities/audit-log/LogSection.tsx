import { logRows, logsRoutes } from '@kustos/contract/logs'
import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useRoute } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { LogEntries } from './LogEntries.tsx'
import { type LogFilter, type LogQuery, logPath } from './paths.ts'

interface Props {
  readonly filter: LogFilter
  readonly title: string
  readonly emptyText: string
  /** All entries share it, so it is not repeated. */
  readonly about?: 'subject' | 'causer'
  readonly limit?: number
  /** A log to leave out; the link still shows it. */
  readonly without?: LogQuery['without']
}

export function LogSection(props: Props) {
  return (
    <Can access={logsRoutes.listLogs.access}>
      <NewestEntries {...props} />
    </Can>
  )
}

function NewestEntries({ filter, title, emptyText, about = 'subject', limit = 10, without }: Props) {
  const { t } = useTranslation()
  const query = useRoute(
    logsRoutes.listLogs,
    { query: { ...filter, ...(without !== undefined && { without }), limit: String(limit) } },
    { select: logRows, placeholderData: keepPreviousData },
  )
  return (
    <Section
      title={title}
      beside={
        <Anchor component={Link} to={logPath(filter)}>
          {t('logs.showAll')}
        </Anchor>
      }
    >
      <QueryState query={query} skeleton={<EntriesSkeleton />}>
        {(entries) =>
          entries.length === 0 ? (
            <Text c="dimmed">{emptyText}</Text>
          ) : (
            <LogEntries entries={entries} about={about} />
          )
        }
      </QueryState>
    </Section>
  )
}

function EntriesSkeleton() {
  const { t } = useTranslation()
  return (
    <Stack gap="sm" role="status" aria-label={t('grid.loading')}>
      {[70, 55, 80].map((width) => (
        <Skeleton key={width} h={20} w={`${width}%`} />
      ))}
    </Stack>
  )
}
