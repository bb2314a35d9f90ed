import { logsRoutes } from '@kustos/contract/logs'
import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Can } from '../../ui/Can.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { LogEntries } from './LogEntries.tsx'
import { type LogFilter, logPath } from './paths.ts'
import { useLogEntries, type Without } from './use-log-entries.ts'

interface Props {
  readonly filter: LogFilter
  readonly title: string
  /** Where there is no entry. */
  readonly emptyText: string
  /** What is the same for all of them and so is not said of each. */
  readonly about?: 'subject' | 'causer'
  readonly limit?: number
  /** What is not of interest here; the way to all of them leads to these too. */
  readonly without?: Without
}

/** The newest entries about something, for those who may see the log, with the way to all of them. */
export function LogSection(props: Props) {
  return (
    <Can access={logsRoutes.listLogs.access}>
      <Section {...props} />
    </Can>
  )
}

function Section({ filter, title, emptyText, about = 'subject', limit = 10, without }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  const query = useLogEntries(filter, limit, without)
  return (
    <Card component="section" aria-labelledby={heading}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={2} id={heading}>
          {title}
        </Title>
        <Anchor component={Link} to={logPath(filter)}>
          {t('logs.showAll')}
        </Anchor>
      </Group>
      <QueryState query={query} skeleton={<Bones />}>
        {(entries) =>
          entries.length === 0 ? (
            <Text c="dimmed">{emptyText}</Text>
          ) : (
            <LogEntries entries={entries} about={about} />
          )
        }
      </QueryState>
    </Card>
  )
}

function Bones() {
  const { t } = useTranslation()
  return (
    <Stack gap="sm" role="status" aria-label={t('grid.loading')}>
      {[70, 55, 80].map((width) => (
        <Skeleton key={width} h={20} w={`${width}%`} />
      ))}
    </Stack>
  )
}
