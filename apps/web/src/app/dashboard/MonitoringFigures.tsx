import { monitoringRoutes } from '@kustos/contract/monitoring'
import { useTranslation } from 'react-i18next'
import { QueryState } from '../../ui/QueryState.tsx'
import { RoundNote } from '../../ui/RoundNote.tsx'
import { downWebsPath, watchedWebsPath } from '../monitoring/paths.ts'
import { useRoute } from '../query.ts'
import styles from './Dashboard.module.css'
import { FigureList } from './FigureList.tsx'

/** How many webs are down and watched, and when it was looked last. Whoever sees the card may see both lists. */
export function MonitoringFigures() {
  const { t } = useTranslation()
  const query = useRoute(monitoringRoutes.readMonitoring, {})
  const shown = (state?: { readonly down: number; readonly monitored: number }) => [
    { key: 'down', label: t('dashboard.monitoringFigures.down'), count: state?.down, to: downWebsPath },
    {
      key: 'watched',
      label: t('dashboard.monitoringFigures.watched'),
      count: state?.monitored,
      to: watchedWebsPath,
    },
  ]
  return (
    <QueryState
      query={query}
      skeleton={
        <>
          <FigureList figures={shown()} />
          <div className={styles.note} />
        </>
      }
    >
      {(state) => (
        <>
          <FigureList figures={shown(state)} />
          <RoundNote state={state} brief />
        </>
      )}
    </QueryState>
  )
}
