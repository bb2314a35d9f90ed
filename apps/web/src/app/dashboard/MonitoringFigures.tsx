import { monitoringRoutes } from '@kustos/contract/monitoring'
import { useTranslation } from 'react-i18next'
import { downWebsPath, monitoredWebsPath } from '../../entities/incident/paths.ts'
import { RoundNote } from '../../entities/incident/RoundNote.tsx'
import { useRoute } from '../../platform/query.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import styles from './Dashboard.module.css'
import { FigureList } from './FigureList.tsx'

const links = { down: downWebsPath, monitored: monitoredWebsPath }

export function MonitoringFigures() {
  const { t } = useTranslation()
  const query = useRoute(monitoringRoutes.readMonitoring, {})
  const figures = { labels: t('dashboard.monitoringFigures', { returnObjects: true }), links }
  const skeleton = (
    <>
      <FigureList {...figures} />
      <div className={styles.note} />
    </>
  )
  return (
    <QueryState query={query} skeleton={skeleton}>
      {(state) => (
        <>
          <FigureList {...figures} counts={state} />
          <RoundNote state={state} brief />
        </>
      )}
    </QueryState>
  )
}
