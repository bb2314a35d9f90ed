import {
  type MonitoredWeb,
  monitoringRoutes,
  watchState,
  watchStateOptions,
} from '@kustos/contract/monitoring'
import { websRoutes } from '@kustos/contract/webs'
import { Button, Text } from '@mantine/core'
import { IconPencil, IconTimelineEvent } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import { useRoute } from '../../app/query.ts'
import { AboutWeb } from '../../ui/AboutWeb.tsx'
import { Can } from '../../ui/Can.tsx'
import { DownFor } from '../../ui/DownFor.tsx'
import { HttpChip } from '../../ui/HttpChip.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { Incidents } from './Incidents.tsx'
import { listAddress } from './list-address.ts'
import { UptimeDays } from './UptimeDays.tsx'

/** The downtime of one web, day by day. The name in its path is for people; the id says which web it is. */
export function UptimeScreen() {
  const { id = '' } = useParams()
  return <UptimePage key={id} id={id} />
}

function UptimePage({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <AboutWeb
      id={id}
      query={useRoute(monitoringRoutes.readMonitoredWeb, { params: { id } })}
      back={{ to: listAddress(), label: t('monitoring.uptime.back') }}
      topic={t('monitoring.uptime.heading')}
      beside={(web) => <LatestProbe web={web} />}
      actions={(web) => <Actions web={web} />}
    >
      {(web) => (
        <>
          <UptimeDays id={id} />
          <Incidents id={id} isWatched={web?.monitoring_web_active !== 0} />
        </>
      )}
    </AboutWeb>
  )
}

/** What the latest probe saw of it. */
function LatestProbe({ web }: { readonly web: MonitoredWeb }) {
  const { t } = useTranslation()
  const state = watchState(web)
  const tone = watchStateOptions.find(({ value }) => value === state)?.tone ?? 'grey'
  return (
    <>
      <StatusChip tone={tone} text={t(`monitoring.states.${state}`)} />
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

function Actions({ web: { id } }: { readonly web: MonitoredWeb }) {
  const { t } = useTranslation()
  return (
    <>
      <Button
        component={Link}
        to={`/monitoring/events?web=${id}`}
        variant="default"
        leftSection={<IconTimelineEvent size={16} />}
      >
        {t('monitoring.webs.events')}
      </Button>
      <Can access={websRoutes.editWeb.access}>
        <Button
          component={Link}
          to={`/hosting/edit/${id}`}
          variant="default"
          leftSection={<IconPencil size={16} />}
        >
          {t('monitoring.webs.edit')}
        </Button>
      </Can>
    </>
  )
}
