import type { MonitoringState } from '@kustos/contract/monitoring'
import { Group, Text } from '@mantine/core'
import { IconActivityHeartbeat, IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { healthOf } from '../app/monitoring/health.ts'
import styles from './RoundNote.module.css'
import { timeAgo } from './times.ts'
import { useNow } from './use-now.ts'

interface Props {
  readonly state: MonitoringState
  /** Where the counts stand beside it: says of the round alone. */
  readonly brief?: boolean
  /** How many webs stand below it, where not all of them need be watched. */
  readonly listed?: number | undefined
}

/** How monitoring itself is doing: a quiet line, or a warning where what it says cannot be believed. */
export function RoundNote({ state, brief = false, listed }: Props) {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  const now = useNow(1000)
  const health = healthOf(state, now)
  const { monitored, down, last_round: last } = state
  const formatted = (count: number) => ({ count, formatted: count.toLocaleString(language) })

  function ago(iso: string): string {
    const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000))
    return seconds < 60 ? t('monitoring.round.seconds', { count: seconds }) : timeAgo(iso, now, language)
  }

  const began = last === null ? '' : ago(last.started_at)
  const counts = brief
    ? []
    : [
        listed === undefined || listed === monitored
          ? t('monitoring.round.watched', formatted(monitored))
          : t('monitoring.round.watchedOf', {
              ...formatted(monitored),
              listed: listed.toLocaleString(language),
            }),
        t('monitoring.round.down', formatted(down)),
      ]
  const facts = [
    ...counts,
    ...(health === 'good' ? [t(`monitoring.round.${brief ? 'lastAlone' : 'last'}`, { ago: began })] : []),
  ]
  const Icon = health === 'good' ? IconActivityHeartbeat : IconAlertTriangle
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" className={styles.note} data-health={health}>
      <Icon size={16} aria-hidden="true" className={styles.icon} />
      <Text component="div" inherit>
        <span>{facts.join(' · ')}</span>
        {/* There from the start, so that a warning is read out when it comes. */}
        <span role="status" className={styles.warning}>
          {health !== 'good' && t(`monitoring.round.${health}`, { ago: began })}
        </span>
      </Text>
    </Group>
  )
}
