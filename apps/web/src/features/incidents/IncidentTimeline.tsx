import { type IncidentDetails, type IncidentTimelineEntry, incidentsRoutes } from '@kustos/contract/incidents'
import { reportingChannels } from '@kustos/contract/webs'
import { Skeleton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LogEntryItem } from '../../entities/audit-log/LogEntries.tsx'
import logStyles from '../../entities/audit-log/logs.module.css'
import { findReverts } from '../../entities/audit-log/reverts.ts'
import { HttpChip } from '../../entities/incident/HttpChip.tsx'
import { DeploymentItem, TimelineItem } from '../../entities/timeline/TimelineItem.tsx'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { type Milestone, withMilestones } from './milestones.ts'

/** The start and the end of an incident, and the probes, alerts, deployments and changes around it, oldest first. */
export function IncidentTimeline({ incident }: { readonly incident: IncidentDetails }) {
  const { id, web, ended_at: end } = incident
  const { t } = useTranslation()
  const query = useRoute(incidentsRoutes.readIncidentTimeline, { params: { id } })
  const reverts = findReverts(
    query.data?.data.flatMap((entry) => (entry.kind === 'change' ? [entry.change] : [])) ?? [],
  )
  return (
    <Section
      title={t('incidents.timeline.title')}
      hint={t(`incidents.timeline.${end === null ? 'hintOpen' : 'hint'}`)}
    >
      <QueryState query={query} skeleton={<Skeleton h={160} />}>
        {({ data }) => (
          <>
            <ol className={logStyles.entries}>
              {withMilestones(incident, data).map((entry) => (
                <Entry key={keyOf(entry)} entry={entry} isOfOutage={web === null} reverts={reverts} />
              ))}
            </ol>
            {data.length === 0 && <Text c="dimmed">{t('incidents.timeline.none')}</Text>}
          </>
        )}
      </QueryState>
    </Section>
  )
}

function keyOf(entry: IncidentTimelineEntry | Milestone): string {
  switch (entry.kind) {
    case 'milestone':
      return entry.milestone
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

const milestoneTones = { started: 'red', alerted: 'grey', ended: 'green' } as const

const alertTones = { sent: 'green', waiting: 'orange', failed: 'red' } as const

const probeTexts: Readonly<Record<string, 'good' | 'degraded'>> = { up: 'good', degraded: 'degraded' }

interface EntryProps {
  readonly entry: IncidentTimelineEntry | Milestone
  /** Whether the web of an entry has to be named. */
  readonly isOfOutage: boolean
  readonly reverts: ReturnType<typeof findReverts>
}

function Entry({ entry, isOfOutage, reverts }: EntryProps) {
  const { t } = useTranslation()
  const channelName = ({ channel: name, channel_id: stored }: Extract<typeof entry, { kind: 'alert' }>) => {
    const channel = stored === null ? reportingChannels.find((one) => one === name) : undefined
    return channel === undefined
      ? (name ?? t('incidents.timeline.deleted'))
      : t(`webs.form.channels.${channel}`)
  }
  if (entry.kind === 'milestone')
    return (
      <TimelineItem at={entry.at}>
        <StatusChip
          tone={milestoneTones[entry.milestone]}
          text={t(`incidents.timeline.milestones.${entry.milestone}`)}
        />
      </TimelineItem>
    )
  if (entry.kind === 'change')
    return <LogEntryItem entry={entry.change} about="subject" revertedBy={reverts.get(entry.change.id)} />
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
