import { formatTime } from '@kustos/contract/grid'
import type { TimelineEntry } from '@kustos/contract/timeline'
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { StatusChip } from '../../ui/StatusChip.tsx'
import logStyles from '../audit-log/logs.module.css'
import { stateTones } from '../deployment/states.ts'

/** An entry of a timeline, as entries of the log look. */
export function TimelineItem({ at, children }: { readonly at: string; readonly children: ReactNode }) {
  return (
    <li className={logStyles.entry}>
      <div className={logStyles.head}>
        <time dateTime={at} className={logStyles.time}>
          {formatTime(at)}
        </time>
        {children}
      </div>
    </li>
  )
}

interface Props {
  readonly at: string
  readonly deployment: Extract<TimelineEntry, { kind: 'deployment' }>['deployment']
  /** Whether its web has to be named. */
  readonly hasWeb?: boolean
}

export function DeploymentItem({ at, deployment, hasWeb = true }: Props) {
  const { t } = useTranslation()
  const { id, kind, state, fqdn, requested_by: by } = deployment
  return (
    <TimelineItem at={at}>
      <Anchor component={Link} to={`/queue/${id}`} inherit className={logStyles.what}>
        {t(`actions.${kind}.label`)}
      </Anchor>
      <StatusChip tone={stateTones[state]} text={t(`deployment.states.${state}`)} />
      {hasWeb && <span className={logStyles.subject}>{fqdn}</span>}
      {by !== null && <span className={logStyles.causer}>{t('logs.by', { causer: by.email })}</span>}
    </TimelineItem>
  )
}
