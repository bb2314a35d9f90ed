import {
  type MonitoredWeb,
  monitoringRoutes,
  watchState,
  watchStateOptions,
} from '@kustos/contract/monitoring'
import { websRoutes } from '@kustos/contract/webs'
import { Text } from '@mantine/core'
import { IconPencil, IconTimelineEvent } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DownFor } from '../../entities/incident/DownFor.tsx'
import { HttpChip } from '../../entities/incident/HttpChip.tsx'
import { Incidents } from '../../entities/incident/Incidents.tsx'
import { degradedText } from '../../entities/incident/reason-text.ts'
import { WebLayout } from '../../entities/web/WebLayout.tsx'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { UptimeDays } from './UptimeDays.tsx'

/** The id identifies the web; the name in the path is for readers. */
export default function UptimeScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <WebLayout
      id={id}
      query={useRoute(monitoringRoutes.readMonitoredWeb, { params: { id } })}
      back={{ to: getListUrl('/monitoring/webs'), label: t('monitoring.uptime.back') }}
      topic={t('monitoring.uptime.heading')}
      beside={(web) => <LatestProbe web={web} />}
      actions={() => (
        <>
          <LinkButton
            to={`/monitoring/events?web=${id}`}
            label={t('actions.probes.label')}
            icon={IconTimelineEvent}
            variant="default"
          />
          <LinkButton
            to={`/hosting/edit/${id}`}
            label={t('monitoring.webs.edit')}
            icon={IconPencil}
            access={websRoutes.editWeb.access}
            variant="default"
          />
        </>
      )}
    >
      {(web) => (
        <>
          <UptimeDays id={id} />
          <Incidents id={id} isMonitored={web?.monitoring_web_active !== 0} />
        </>
      )}
    </WebLayout>
  )
}

function LatestProbe({ web }: { readonly web: MonitoredWeb }) {
  const { t } = useTranslation()
  const state = watchState(web)
  const tone = watchStateOptions.find(({ value }) => value === state)?.tone ?? 'grey'
  return (
    <>
      <StatusChip tone={tone} text={t(`monitoring.states.${state}`)} />
      {state === 'degraded' && (
        <Text span c="dimmed" fz="xs">
          {degradedText(web)}
        </Text>
      )}
      {web.down_since !== null && <DownFor since={web.down_since} />}
      {web.probed_at !== null && <HttpChip status={web.http_status_code} />}
      {web.response_time_ms !== null && (
        <Text span c="dimmed" fz="xs">
          {web.response_time_ms} ms
        </Text>
      )}
    </>
  )
}
