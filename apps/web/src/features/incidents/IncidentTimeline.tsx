import { type IncidentDetails, type IncidentTimelineEntry, incidentsRoutes } from '@kustos/contract/incidents'
import { reportingChannels } from '@kustos/contract/webs'
import { Skeleton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LogEntryItem } from '../../entities/audit-log/LogEntries.tsx'
import logStyles from '../../entities/audit-log/logs.module.css'
import { HttpChip } from '../../entities/incident/HttpChip.tsx'
import { DeploymentItem, TimelineItem } from '../../entities/timeline/TimelineItem.tsx'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'

/** Probes, alerts, deployments and changes around an incident, oldest first. */
export function IncidentTimeline({ incident: { id, web } }: { readonly incident: IncidentDetails }) {
  const { t } = useTranslation()
  const query = useRoute(incidentsRoutes.readIncidentTimeline, { params: { id } })
  return (
    <Section title={t('incidents.timeline.title')} hint={t('incidents.timeline.hint')}>
      <QueryState query={query} skeleton={<Skeleton h={160} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('incidents.timeline.none')}</Text>
          ) : (
            <ol className={logStyles.entries}>
              {data.map((entry) => (
                <Entry key={keyOf(entry)} entry={entry} isOfOutage={web === null} />
              ))}
            </ol>
          )
        }
      </QueryState>
    </Section>
  )
}

function keyOf(entry: IncidentTimelineEntry): string {
  switch (entry.kind) {
    case 'probe':
      return `probe ${entry.web.id} ${entry.at}`
    case 'alert':
      return `alert ${entry.channel_id ?? entry.channel} ${entry.title} ${entry.at} ${entry.state}`
    case 'deployment':
      return `deployment ${entry.deployment.id}`
    case 'change':
      return `change ${entry.change.id}`
  }
}

const alertTones = { sent: 'green', waiting: 'orange', failed: 'red' } as const

const probeTexts: Readonly<Record<string, 'good' | 'degraded'>> = { up: 'good', degraded: 'degraded' }

interface EntryProps {
  readonly entry: IncidentTimelineEntry
  /** Whether the web of an entry has to be named. */
  readonly isOfOutage: boolean
}

function Entry({ entry, isOfOutage }: EntryProps) {
  const { t } = useTranslation()
  const channelName = ({ channel: name, channel_id: stored }: Extract<typeof entry, { kind: 'alert' }>) => {
    const channel = stored === null ? reportingChannels.find((one) => one === name) : undefined
    return channel === undefined
      ? (name ?? t('incidents.timeline.deleted'))
      : t(`webs.form.channels.${channel}`)
  }
  if (entry.kind === 'change') return <LogEntryItem entry={entry.change} about="subject" />
  if (entry.kind === 'deployment')
    return <DeploymentItem at={entry.at} deployment={entry.deployment} hasWeb={isOfOutage} />
  if (entry.kind === 'alert')
    return (
      <TimelineItem at={entry.at}>
        <span className={logStyles.what}>
          {t('incidents.timeline.alert', { channel: channelName(entry) })}
        </span>
        <StatusChip tone={alertTones[entry.state]} text={t(`incidents.timeline.${entry.state}`)} />
        <span className={logStyles.subject} translate="no">
          {entry.title}
        </span>
        {entry.recipients > 1 && (
          <span className={logStyles.causer}>
            {t('incidents.timeline.recipients', { count: entry.recipients })}
          </span>
        )}
      </TimelineItem>
    )
  return (
    <TimelineItem at={entry.at}>
      <span className={logStyles.what}>{t(`incidents.timeline.${probeTexts[entry.outcome] ?? 'bad'}`)}</span>
      <HttpChip status={entry.status} />
      {isOfOutage && <span className={logStyles.subject}>{entry.web.fqdn}</span>}
      {entry.reason !== null && (
        <span className={logStyles.causer}>
          {storedText(entry.reason, entry.reason_code, entry.reason_params)}
        </span>
      )}
    </TimelineItem>
  )
}
