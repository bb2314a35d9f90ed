import type { Tone } from '@kustos/contract/grid'
import { type MonitoringState, monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { IconActivityHeartbeat } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useNow } from '../../ui/use-now.ts'
import { type Health, healthOf } from '../monitoring/health.ts'
import { downWebsPath, watchedWebsPath } from '../monitoring/paths.ts'
import { useRoute } from '../query.ts'
import { useUser } from '../session.ts'
import styles from './Shell.module.css'

const { readMonitoring } = monitoringRoutes

/** How many webs are down, on every screen of those who may see it. */
export function DownIndicator() {
  return can(useUser(), readMonitoring.access) ? <Indicator /> : null
}

function Indicator() {
  const { data } = useRoute(readMonitoring, {})
  return data === undefined ? null : <Shown state={data} />
}

const doubtful = { never: 'grey', late: 'orange', unknown: 'orange' } as const satisfies Readonly<
  Record<Exclude<Health, 'good'>, Tone>
>

function Shown({ state }: { readonly state: MonitoringState }) {
  const { t, i18n } = useTranslation()
  const health = healthOf(state, useNow(10_000))
  const { down, monitored } = state
  // Where nothing is watched there is nothing to say.
  if (monitored === 0 && down === 0) return null
  const text =
    down > 0
      ? t('monitoring.header.down', { count: down, formatted: down.toLocaleString(i18n.language) })
      : t(health === 'good' ? 'monitoring.header.allUp' : `monitoring.header.${health}`)
  const brief = down > 0 ? down.toLocaleString(i18n.language) : health === 'good' ? '✓' : '?'
  const tone = down > 0 ? 'red' : health === 'good' ? 'green' : doubtful[health]
  return (
    <Link
      to={down > 0 ? downWebsPath : watchedWebsPath}
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
