import { formatTime } from '@kustos/contract/grid'
import type { TrackingAudit } from '@kustos/contract/tracking'
import { Alert, Anchor, Card, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type To } from 'react-router-dom'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { timeAgo } from '../../ui/times.ts'
import { outcomeTones } from './outcomes.ts'
import styles from './tracking.module.css'
import { useProblemText } from './use-problem-text.ts'

interface Props {
  readonly audit: TrackingAudit
  /** The audit that what was found comes from: another one where this one could not look. */
  readonly base: TrackingAudit | undefined
  readonly isLatest: boolean
  readonly toLatest: To
  /** In milliseconds. */
  readonly now: number
}

/** When an audit looked and how, and what it could not look at: that is something else than "not there". */
export function AuditHead({ audit, base, isLatest, toLatest, now }: Props) {
  const { t, i18n } = useTranslation()
  const heading = useId()
  const problemText = useProblemText()
  const { audited_at: at, outcome, engine, problems } = audit
  const time = formatTime(at)
  return (
    <Card component="section" aria-labelledby={heading} className={styles.section}>
      <div className={styles.sectionHead}>
        <Title order={2} id={heading}>
          {isLatest ? t('tracking.audit.title') : t('tracking.audit.titleOld', { time })}
        </Title>
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
          {outcome !== 'failed' && t(`tracking.audit.looked.${engine}`)}
        </Text>
        {!isLatest && (
          <Anchor component={Link} to={toLatest} className={styles.beside}>
            {t('tracking.audit.toNewest')}
          </Anchor>
        )}
      </div>
      {problems.length > 0 && (
        <Alert
          color={outcome === 'failed' ? 'red' : 'orange'}
          variant="outline"
          p="sm"
          icon={<IconAlertTriangle size={16} />}
        >
          <Text fw={500}>{t(outcome === 'failed' ? 'tracking.audit.failed' : 'tracking.audit.partly')}</Text>
          <ul className={styles.problems}>
            {problems.map((problem) => (
              <li key={problem}>{problemText(problem)}</li>
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
    </Card>
  )
}
