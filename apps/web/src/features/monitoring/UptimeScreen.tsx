import {
  type MonitoredWeb,
  monitoringRoutes,
  watchState,
  watchStateOptions,
} from '@kustos/contract/monitoring'
import { websRoutes } from '@kustos/contract/webs'
import { Button, Text } from '@mantine/core'
import { IconPencil, IconTimelineEvent, IconWorldOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import { watchedWebsPath } from '../../app/monitoring/paths.ts'
import { useRoute } from '../../app/query.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Can } from '../../ui/Can.tsx'
import { DownFor } from '../../ui/DownFor.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { HttpChip } from '../../ui/HttpChip.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { Incidents } from './Incidents.tsx'
import { listAddress } from './list-address.ts'
import { UptimeDays } from './UptimeDays.tsx'
import styles from './uptime.module.css'

/** The downtime of one web, day by day. The name in its path is for people; the id says which web it is. */
export function UptimeScreen() {
  const { id = '' } = useParams()
  return <UptimePage key={id} id={id} />
}

function UptimePage({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const query = useRoute(monitoringRoutes.readMonitoredWeb, { params: { id } })
  const { data: web, error } = query
  const fqdn = web?.fqdn
  useEffect(() => {
    if (fqdn !== undefined) document.title = `${fqdn} · ${t('monitoring.uptime.heading')} · ${t('app.title')}`
  }, [fqdn, t])
  return (
    <>
      <BackLink to={listAddress()} label={t('monitoring.uptime.back')} />
      <PageHeader
        title={t('monitoring.uptime.heading')}
        {...(web !== undefined && { beside: <Subject web={web} />, actions: <Actions web={web} /> })}
      />
      {error?.status === 404 ? (
        <Missing id={id} />
      ) : (
        <div className={styles.sections}>
          {error !== null && (
            <Failure
              error={error}
              onRetry={() => void query.refetch()}
              retrying={query.isFetching}
              stale={web !== undefined}
            />
          )}
          <UptimeDays id={id} />
          <Incidents id={id} />
        </div>
      )}
    </>
  )
}

/** Which web it is, and what the latest probe saw of it. */
function Subject({ web }: { readonly web: MonitoredWeb }) {
  const { t } = useTranslation()
  const state = watchState(web)
  const tone = watchStateOptions.find(({ value }) => value === state)?.tone ?? 'grey'
  return (
    <div className={styles.state}>
      <span className={styles.fqdn}>{web.fqdn}</span>
      <StatusChip tone={tone} text={t(`monitoring.states.${state}`)} />
      {web.down_since !== null && <DownFor since={web.down_since} />}
      {web.probed_at !== null && <HttpChip status={web.http_status_code} />}
      {web.response_time_ms !== null && (
        <Text span c="dimmed" fz="xs">
          {web.response_time_ms} ms
        </Text>
      )}
    </div>
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

function Missing({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconWorldOff}
      title={t('monitoring.uptime.missing', { id })}
      hint={t('monitoring.uptime.missingHint')}
      action={
        <Button component={Link} to={watchedWebsPath}>
          {t('monitoring.uptime.back')}
        </Button>
      }
    />
  )
}
