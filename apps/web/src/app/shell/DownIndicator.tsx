import type { Tone } from '@kustos/contract/grid'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { IconActivityHeartbeat } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { type Health, healthOf } from '../../entities/incident/health.ts'
import { downWebsPath, monitoredWebsPath } from '../../entities/incident/paths.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './Shell.module.css'

const { readMonitoring } = monitoringRoutes

export function DownIndicator() {
  return can(useUser(), readMonitoring.access) ? <Indicator /> : null
}

const doubtful = {
  never: 'grey',
  late: 'orange',
  unknown: 'orange',
  unprobed: 'orange',
} as const satisfies Readonly<Record<Exclude<Health, 'good'>, Tone>>

function Indicator() {
  const { t, i18n } = useTranslation()
  const { data: state } = useRoute(readMonitoring, {})
  const now = useNow(10_000)
  if (state === undefined) return null
  const health = healthOf(state, now)
  const { down, monitored } = state
  if (monitored === 0 && down === 0) return null
  const text =
    down > 0
      ? t('monitoring.header.down', { count: down })
      : t(health === 'good' ? 'monitoring.header.allUp' : `monitoring.header.${health}`)
  const brief = down > 0 ? down.toLocaleString(i18n.language) : health === 'good' ? '✓' : '?'
  const tone = down > 0 ? 'red' : health === 'good' ? 'green' : doubtful[health]
  return (
    <Link
      to={down > 0 ? downWebsPath : monitoredWebsPath}
      className={styles.indicator}
      aria-label={t('monitoring.header.label', { text })}
      title={text}
    >
      <span className={styles.wide}>
        <StatusChip tone={tone} text={text} />
      </span>
      <span className={styles.brief}>
        <IconActivityHeartbeat size={16} aria-hidden="true" />
        <StatusChip tone={tone} text={brief} />
      </span>
    </Link>
  )
}
