import { formatTime } from '@kustos/contract/grid'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { formatDuration } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './DownFor.module.css'
import { incidentPath } from './paths.ts'

const { listIncidents } = monitoringRoutes

interface Props {
  readonly since: string
}

function useDownLength(since: string): string {
  const { t } = useTranslation()
  const seconds = (useNow(10_000) - Date.parse(since)) / 1000
  return formatDuration(seconds, t, 1)
}

/** How long a web has been down: "▲ 4 min". */
export function DownFor({ since }: Props) {
  const { t } = useTranslation()
  const length = useDownLength(since)
  return (
    <span
      role="img"
      aria-label={t('monitoring.downFor', { length })}
      data-tip={t('monitoring.downSince', { time: formatTime(since) })}
      className={styles.length}
    >
      ▲ {length}
    </span>
  )
}

/** The same in words, beside other states of a web: "down for 4 min". Leads to the incident, which says why. */
export function DownChip({ id, since }: Props & { readonly id: number }) {
  const { t } = useTranslation()
  const length = useDownLength(since)
  const mayOpen = can(useUser(), listIncidents.access)
  const { data } = useRoute(listIncidents, { query: { web: String(id) } }, { enabled: mayOpen })
  const incident = data?.data.find(({ ended_at: end }) => end === null)
  const chip = <StatusChip tone="red" text={t('monitoring.downFor', { length })} />
  return (
    <span data-tip={t('monitoring.downSince', { time: formatTime(since) })}>
      {incident === undefined ? (
        chip
      ) : (
        <Link to={incidentPath(incident.id)} className={styles.link}>
          {chip}
        </Link>
      )}
    </span>
  )
}
