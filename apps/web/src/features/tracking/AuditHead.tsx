import { formatTime } from '@kustos/contract/grid'
import type { TrackingAudit } from '@kustos/contract/tracking'
import { Alert, Anchor, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, type To } from 'react-router-dom'
import styles from '../../entities/tracking/tracking.module.css'
import { storedTexts } from '../../platform/message-text.ts'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { timeAgo } from '../../ui/times.ts'
import { ReportButtons } from './ReportButtons.tsx'

export const outcomeTones = { seen: 'green', partial: 'orange', failed: 'red' } as const

interface Props {
  readonly audit: TrackingAudit
  /** The audit that the findings come from, if this one failed. */
  readonly base: TrackingAudit | undefined
  readonly isLatest: boolean
  readonly toLatest: To
  readonly now: number
}

export function AuditHead({ audit, base, isLatest, toLatest, now }: Props) {
  const { t, i18n } = useTranslation()
  const { audited_at: at, outcome, engine, problems } = audit
  const time = formatTime(at)
  return (
    <Section
      title={isLatest ? t('tracking.audit.title') : t('tracking.audit.titleOld', { time })}
      beside={
        !isLatest && (
          <Anchor component={Link} to={toLatest}>
            {t('tracking.audit.toLatest')}
          </Anchor>
        )
      }
    >
      <div className={styles.outcome}>
        <StatusChip tone={outcomeTones[outcome]} text={t(`tracking.audit.outcomes.${outcome}`)} />
        <Text c="dimmed" fz="xs">
          {isLatest && (
            <>
              <time dateTime={at} title={time}>
                {timeAgo(at, now, i18n.language)}
              </time>
              {' · '}
              {time}
            </>
          )}
          {isLatest && outcome !== 'failed' && ' · '}
          {outcome !== 'failed' && t(`tracking.audit.methods.${engine}`)}
        </Text>
      </div>
      {problems.length > 0 && (
        <Alert color={outcome === 'failed' ? 'red' : 'orange'} icon={<IconAlertTriangle size={16} />}>
          <Text fw={500}>
            {t(outcome === 'failed' ? 'tracking.audit.failed' : 'tracking.audit.someFailed')}
          </Text>
          <ul className={styles.problems}>
            {storedTexts(problems, audit.problem_codes).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          <Text>
            {outcome !== 'failed'
              ? t('tracking.audit.unknown')
              : base === undefined
                ? t('tracking.audit.noneSeen')
                : t('tracking.audit.from', { time: formatTime(base.audited_at) })}
          </Text>
        </Alert>
      )}
      <ReportButtons audit={audit} />
    </Section>
  )
}
