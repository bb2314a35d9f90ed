import { certificatesRoutes } from '@kustos/contract/certificates'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { logsRoutes } from '@kustos/contract/logs'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can, type PermissionHolder } from '@kustos/contract/permissions'
import { type Timeline, type TimelineEntry, timelineWeeks } from '@kustos/contract/timeline'
import { Anchor, Group, SegmentedControl, Skeleton, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { ApiError } from '../../platform/api-error.ts'
import { storedText } from '../../platform/message-text.ts'
import { Can } from '../../ui/Can.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { formatDuration } from '../../ui/times.ts'
import { LogEntryItem } from '../audit-log/LogEntries.tsx'
import logStyles from '../audit-log/logs.module.css'
import { type LogFilter, logPath } from '../audit-log/paths.ts'
import { findReverts } from '../audit-log/reverts.ts'
import { webPath } from '../web/paths.ts'
import { CertificateItem } from './CertificateItem.tsx'
import { DeploymentItem, TimelineItem } from './TimelineItem.tsx'

const choices = [timelineWeeks.default, 12, timelineWeeks.max] as const
const sources = [
  deploymentRoutes.listDeployments,
  monitoringRoutes.listIncidents,
  logsRoutes.listLogs,
  certificatesRoutes.listWebCertificates,
]

interface Props {
  readonly query: UseQueryResult<Timeline, ApiError>
  readonly weeks: string
  readonly onWeeks: (weeks: string) => void
  /** The filter of the log for the changes among them. */
  readonly changes: LogFilter
}

/** Whether the user may see any of the kinds of entries. */
export const seesTimelines = (user: PermissionHolder | null): boolean =>
  sources.some(({ access }) => can(user, access))

/** What happened in the last weeks. */
export function TimelineSection({ query, weeks, onWeeks, changes }: Props) {
  const { t } = useTranslation()
  return (
    <Section
      title={t('customers.timeline.title')}
      beside={
        <Group gap="4px 16px">
          <Can access={logsRoutes.listLogs.access}>
            <Anchor component={Link} to={logPath({ ...changes, within: 'week' })}>
              {t('logs.changesThisWeek')}
            </Anchor>
          </Can>
          <SegmentedControl
            size="xs"
            aria-label={t('customers.timeline.span')}
            value={weeks}
            onChange={onWeeks}
            data={choices.map((count) => ({
              value: String(count),
              label: t('customers.timeline.weeks', { count }),
            }))}
          />
        </Group>
      }
    >
      <QueryState query={query} skeleton={<Skeleton h={160} />}>
        {({ data, from }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('customers.timeline.none')}</Text>
          ) : (
            <>
              <ol className={logStyles.entries}>
                <Entries entries={data} />
              </ol>
              <Text c="dimmed">{t('customers.timeline.since', { time: formatTime(from) })}</Text>
            </>
          )
        }
      </QueryState>
    </Section>
  )
}

function keyOf(entry: TimelineEntry): string {
  if (entry.kind === 'deployment') return `deployment ${entry.deployment.id}`
  if (entry.kind === 'certificate')
    return `certificate ${entry.certificate.web.id} ${entry.at} ${entry.certificate.names[0]}`
  return entry.kind === 'incident' ? `incident ${entry.incident.id}` : `change ${entry.change.id}`
}

function Entries({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const reverts = findReverts(entries.flatMap((entry) => (entry.kind === 'change' ? [entry.change] : [])))
  return entries.map((entry) => <Entry key={keyOf(entry)} entry={entry} reverts={reverts} />)
}

interface EntryProps {
  readonly entry: TimelineEntry
  readonly reverts: ReturnType<typeof findReverts>
}

function Entry({ entry, reverts }: EntryProps) {
  const { t } = useTranslation()
  if (entry.kind === 'change')
    return <LogEntryItem entry={entry.change} about="neither" revertedBy={reverts.get(entry.change.id)} />
  if (entry.kind === 'certificate') return <CertificateItem entry={entry} />
  if (entry.kind === 'deployment') return <DeploymentItem at={entry.at} deployment={entry.deployment} />
  const { web, ended_at: end, reason, reason_code, reason_params, downtime } = entry.incident
  return (
    <TimelineItem at={entry.at}>
      <span className={logStyles.what}>{t('customers.timeline.incident')}</span>
      <StatusChip
        tone={end === null ? 'red' : 'grey'}
        text={end === null ? t('monitoring.uptime.incidents.ongoing') : formatDuration(downtime, t)}
      />
      <Anchor component={Link} to={webPath(web.id)} inherit className={logStyles.subject}>
        {web.fqdn}
      </Anchor>
      <span className={logStyles.causer}>{storedText(reason, reason_code, reason_params)}</span>
    </TimelineItem>
  )
}
