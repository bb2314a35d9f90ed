import type { MonitoringState } from '@kustos/contract/monitoring'
import { Group, Text } from '@mantine/core'
import { IconActivityHeartbeat, IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { healthOf } from './health.ts'
import styles from './RoundNote.module.css'

interface Props {
  readonly state: MonitoringState
  /** Leaves out the counts. */
  readonly brief?: boolean
  /** Number of listed webs, if not all of them are monitored. */
  readonly listed?: number | undefined
}

/** The state of monitoring itself, with a warning when its data cannot be trusted. */
export function RoundNote({ state, brief = false, listed }: Props) {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  const now = useNow(1000)
  const health = healthOf(state, now)
  const { monitored, down, degraded, last_round: last } = state

  function ago(iso: string): string {
    const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000))
    return seconds < 60 ? t('monitoring.round.seconds', { count: seconds }) : timeAgo(iso, now, language)
  }

  const began = last === null ? '' : ago(last.started_at)
  const facts = [
    !brief &&
      (listed === undefined || listed === monitored
        ? t('monitoring.round.monitored', { count: monitored })
        : t('monitoring.round.monitoredOf', { count: monitored, listed })),
    !brief && t('monitoring.round.down', { count: down }),
    !brief && degraded > 0 && t('monitoring.round.degraded', { count: degraded }),
    health === 'good' && t(`monitoring.round.${brief ? 'lastOnly' : 'last'}`, { ago: began }),
  ]
  const Icon = health === 'good' ? IconActivityHeartbeat : IconAlertTriangle
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" className={styles.note} data-health={health}>
      <Icon size={16} aria-hidden="true" className={styles.icon} />
      <Text component="div" inherit>
        <span>{facts.filter(Boolean).join(' · ')}</span>
        {/* Always present, so that a warning is announced. */}
        <span role="status" className={styles.warning}>
          {health !== 'good' && t(`monitoring.round.${health}`, { ago: began })}
        </span>
      </Text>
    </Group>
  )
}
