import { formatTime } from '@kustos/contract/grid'
import { type Statistic, statisticColumns, uptimePath } from '@kustos/contract/monitoring'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconHistory, IconPlayerPause, IconPlayerPlay, IconTimelineEvent } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { HttpChip } from '../../entities/incident/HttpChip.tsx'
import { webHref } from '../../entities/web/paths.ts'
import { storedText } from '../../platform/message-text.ts'
import { useUser } from '../../platform/session.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells, Texts } from '../../ui/data-grid/types.ts'
import styles from './monitoring.module.css'
import { useProbes } from './use-probes.ts'

const getId = ({ web, created_at: at }: Statistic) => `${web.id} ${at}`
const getName = ({ web, created_at: at }: Statistic) => `${web.fqdn} ${formatTime(at)}`

const cells: Cells<Statistic> = {
  fqdn: ({ web }) => <WebName web={web} />,
  status: ({ status }) => <HttpChip status={status} />,
}
const texts: Texts<Statistic> = {
  reason: (row) => row.reason && storedText(row.reason, row.reason_code, row.reason_params),
}

function WebName({ web }: Pick<Statistic, 'web'>) {
  return <GridLink to={webHref(useUser(), web) ?? uptimePath(web)}>{web.fqdn}</GridLink>
}

/** The probes of all webs, or with `?web=` of one. */
export default function EventsScreen() {
  const [searchParams] = useSearchParams()
  // The server rejects an invalid id.
  const web = searchParams.get('web') ?? undefined
  return <Probes key={web ?? 'all'} web={web} page={Number(searchParams.get('page') ?? 1)} />
}

interface Props {
  readonly web: string | undefined
  readonly page: number
}

function Probes({ web, page }: Props) {
  const { t } = useTranslation()
  const probes = useProbes(web)
  const { rows, pausedAt, hasAll, pause, resume } = probes
  // On a later page new rows would push the others down.
  const pauseOnArrival = useEffectEvent(pause)
  useEffect(() => {
    if (page > 1) pauseOnArrival()
  }, [page])
  const [title, hint] =
    web === undefined ? (['empty', 'emptyHint'] as const) : (['emptyOfWeb', 'emptyOfWebHint'] as const)

  return (
    <DataGrid
      id="events"
      title={t('screens.monitoring-events.title')}
      grid={statisticColumns}
      query={probes}
      rows={rows}
      getRowId={getId}
      getRowName={getName}
      renderCell={cells}
      texts={texts}
      onLeaveTop={pause}
      empty={{
        icon: IconTimelineEvent,
        title: t(`monitoring.events.${title}`),
        hint: t(`monitoring.events.${hint}`),
      }}
      note={<Note web={web} probes={probes} />}
      toolbar={(view) => (
        <>
          <Button
            variant="default"
            leftSection={<IconHistory size={16} />}
            loading={probes.isLoadingOlder}
            disabled={rows === undefined || rows.length === 0 || hasAll}
            onClick={() => void probes.loadOlder()}
          >
            {t(hasAll ? 'monitoring.events.oldest' : 'monitoring.events.older')}
          </Button>
          {pausedAt === undefined ? (
            <Button variant="default" leftSection={<IconPlayerPause size={16} />} onClick={pause}>
              {t('monitoring.events.pause')}
            </Button>
          ) : (
            <Button
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() => {
                // The newest probes are on the first page.
                if (page > 1) view.changeSearchParams({})
                resume()
              }}
            >
              {t('monitoring.events.follow')}
            </Button>
          )}
        </>
      )}
    />
  )
}

interface NoteProps extends Pick<Props, 'web'> {
  readonly probes: ReturnType<typeof useProbes>
}

function Note({ web, probes: { rows, pausedAt } }: NoteProps) {
  const { t } = useTranslation()
  const last = rows?.at(-1)
  const count = rows?.length ?? 0
  return (
    <Group gap={8} className={styles.note}>
      <Text inherit>
        {pausedAt === undefined && <span className={styles.pulse} aria-hidden="true" />}
        {pausedAt === undefined
          ? t('monitoring.events.live', { count })
          : t('monitoring.events.paused', {
              time: formatTime(new Date(pausedAt).toISOString()).slice(11),
            })}{' '}
        {last !== undefined && t('monitoring.events.loaded', { time: formatTime(last.created_at) })}
      </Text>
      {web !== undefined && (
        <Text inherit>
          {t('monitoring.events.ofWeb', { fqdn: last?.web.fqdn ?? web })}{' '}
          <Anchor component={Link} to="/monitoring/events" inherit>
            {t('monitoring.events.ofAll')}
          </Anchor>
        </Text>
      )}
    </Group>
  )
}
