import { alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { certificatesRoutes } from '@kustos/contract/certificates'
import { checksRoutes } from '@kustos/contract/checks'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { inspectionRoutes } from '@kustos/contract/inspections'
import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { trackingRoutes } from '@kustos/contract/tracking'
import { websRoutes } from '@kustos/contract/webs'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { WebAlertsSection } from '../../entities/alert-route/WebAlertsSection.tsx'
import { LogSection } from '../../entities/audit-log/LogSection.tsx'
import { CheckSection } from '../../entities/check/CheckSection.tsx'
import { Incidents } from '../../entities/incident/Incidents.tsx'
import { InspectionFailure } from '../../entities/inspection/InspectionFailure.tsx'
import { MaintenanceSection } from '../../entities/maintenance/MaintenanceSection.tsx'
import { useRequestedInspection } from '../../entities/web/actions/use-requested-inspection.ts'
import { WebLayout } from '../../entities/web/WebLayout.tsx'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { rememberWeb } from '../recent-webs.ts'
import { Actions } from './Actions.tsx'
import { CertificatesSection } from './CertificatesSection.tsx'
import { Deployments } from './Deployments.tsx'
import { FactsSection } from './FactsSection.tsx'
import { HostsSection } from './HostsSection.tsx'
import { LatestDays } from './LatestDays.tsx'
import { SeenSection } from './SeenSection.tsx'
import { StatusChips } from './StatusChips.tsx'
import { TrackingSection } from './TrackingSection.tsx'
import styles from './web-page.module.css'

const { listUptime, listIncidents } = monitoringRoutes

export default function WebPageScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const user = useUser()
  const query = useRoute(websRoutes.readWeb, { params: { id } })
  const { inspection, isUnderWay, request } = useRequestedInspection('refresh')
  const isThere = query.data !== undefined
  useEffect(() => {
    if (user !== null && isThere) rememberWeb(user.id, Number(id))
  }, [user, isThere, id])
  return (
    <WebLayout
      id={id}
      query={query}
      back={{ to: getListUrl('/hosting'), label: t('webPage.back') }}
      beside={(web) => <StatusChips web={web} />}
      actions={(web) => <Actions web={web} isRefreshing={isUnderWay} onRefresh={() => void request(web)} />}
      offersDeleted
    >
      {(web) => (
        <>
          <InspectionFailure inspection={inspection} title={t('webs.seen.failedTitle')} mb="sm" />
          <div className={styles.columns}>
            <div className={styles.column}>
              <FactsSection web={web} />
              <HostsSection web={web} />
              <Can access={deploymentRoutes.listDeployments.access}>
                <Deployments id={id} />
              </Can>
              <Can access={certificatesRoutes.listWebCertificates.access}>
                <CertificatesSection id={id} />
              </Can>
              <Can access={trackingRoutes.listTrackingAudits.access}>
                <TrackingSection id={id} web={web} />
              </Can>
            </div>
            <div className={styles.column}>
              <Can access={listUptime.access}>
                <LatestDays id={id} web={web} />
              </Can>
              <Can access={listIncidents.access}>
                <Incidents id={id} brief isMonitored={web?.monitoring_web_active !== 0} />
              </Can>
              <Can access={maintenanceRoutes.listWindows.access}>
                <MaintenanceSection of={{ web: id }} />
              </Can>
              {web !== undefined && (
                <Can access={checksRoutes.readWebCheck.access}>
                  <CheckSection subject={{ web: web.id }} name={web.fqdn} />
                </Can>
              )}
              {web !== undefined && web.monitoring_web_active !== 0 && (
                <Can access={alertRoutesRoutes.previewAlert.access}>
                  <WebAlertsSection id={Number(id)} />
                </Can>
              )}
              <Can access={inspectionRoutes.listWebFacts.access}>
                <SeenSection id={id} web={web} />
              </Can>
            </div>
          </div>
          <LogSection
            filter={{ subject_type: 'web', subject_id: id }}
            title={t('webPage.log.title')}
            emptyText={t('webPage.log.none')}
          />
        </>
      )}
    </WebLayout>
  )
}
