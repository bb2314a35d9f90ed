import { monitoringRoutes } from '@kustos/contract/monitoring'
import { useTranslation } from 'react-i18next'
import { downWebsPath, monitoredWebsPath } from '../../entities/incident/paths.ts'
import { RoundNote } from '../../entities/incident/RoundNote.tsx'
import { useRoute } from '../../platform/query.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import styles from './Dashboard.module.css'
import { FigureList } from './FigureList.tsx'

export function MonitoringFigures() {
  const { t } = useTranslation()
  const query = useRoute(monitoringRoutes.readMonitoring, {})
  const figures = [
    { name: 'down', label: t('dashboard.monitoringFigures.down'), to: downWebsPath },
    { name: 'monitored', label: t('dashboard.monitoringFigures.monitored'), to: monitoredWebsPath },
  ] as const
  const skeleton = (
    <>
      <FigureList figures={figures} />
      <div className={styles.note} />
    </>
  )
  return (
    <QueryState query={query} skeleton={skeleton}>
      {(state) => (
        <>
          <FigureList figures={figures} counts={state} />
          <RoundNote state={state} brief />
        </>
      )}
    </QueryState>
  )
}
