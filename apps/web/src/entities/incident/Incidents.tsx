import { formatTime } from '@kustos/contract/grid'
import { type Incident, monitoringRoutes } from '@kustos/contract/monitoring'
import { Anchor, Button, Skeleton, Table, Text } from '@mantine/core'
import { IconCircleCheck, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import styles from '../../ui/ScrollTable.module.css'
import { ScrollTable, type TableColumn } from '../../ui/ScrollTable.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { formatDuration } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { downtimeText } from './downtime-text.ts'
import { HttpChip } from './HttpChip.tsx'
import { incidentPath } from './paths.ts'

/** Maximum number of incidents in an answer. */
const answerLimit = 1000

interface Props {
  readonly id: string
  /** Shows fewer rows and columns. */
  readonly brief?: boolean
  readonly isMonitored: boolean
}

const initialCount = { brief: 5, whole: 20 } as const

export function Incidents({ id, brief = false, isMonitored }: Props) {
  const { t } = useTranslation()
  const query = useRoute(monitoringRoutes.listIncidents, { query: { web: id } })
  return (
    <Section title={t('monitoring.uptime.incidents.title')}>
      <QueryState query={query} skeleton={<Skeleton h={160} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState
              icon={isMonitored ? IconCircleCheck : IconEyeOff}
              title={t(isMonitored ? 'monitoring.uptime.incidents.none' : 'monitoring.uptime.chart.nothing')}
              hint={t(`monitoring.uptime.incidents.${isMonitored ? 'noneHint' : 'unwatched'}`)}
            />
          ) : (
            <IncidentTable incidents={data} brief={brief} />
          )
        }
      </QueryState>
    </Section>
  )
}

interface TableProps {
  readonly incidents: readonly Incident[]
  readonly brief: boolean
}

function IncidentTable({ incidents, brief }: TableProps) {
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  const shown = brief ? initialCount.brief : initialCount.whole
  const { length: count } = incidents
  const columns: readonly (TableColumn | false)[] = [
    { label: t('monitoring.uptime.incidents.start') },
    !brief && { label: t('monitoring.uptime.incidents.end'), visibleFrom: 'sm' },
    { label: t('monitoring.uptime.incidents.duration'), isNumber: true },
    !brief && {
      label: t('monitoring.uptime.incidents.downtime'),
      hint: t('monitoring.uptime.incidents.downtimeHint'),
      isNumber: true,
      visibleFrom: 'sm',
    },
    { label: t('monitoring.uptime.incidents.status') },
    { label: t('monitoring.uptime.incidents.reason'), width: '40%', visibleFrom: 'sm' },
  ]
  return (
    <>
      <ScrollTable
        label={t('monitoring.uptime.incidents.table')}
        miw={{ sm: brief ? 480 : 860 }}
        columns={columns.filter((column) => column !== false)}
      >
        {incidents.slice(0, isAll ? count : shown).map((incident) => (
          <Row key={incident.id} incident={incident} brief={brief} />
        ))}
      </ScrollTable>
      {!isAll && count > shown && (
        <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          {t('monitoring.uptime.incidents.all', { count })}
        </Button>
      )}
      {count >= answerLimit && <Text c="dimmed">{t('monitoring.uptime.incidents.newest', { count })}</Text>}
    </>
  )
}

function Row({ incident, brief }: { readonly incident: Incident; readonly brief: boolean }) {
  const { t } = useTranslation()
  const { started_at: start, ended_at: end, kind, status, reason } = incident
  // An open incident counts up.
  const now = useNow(end === null ? 1000 : null)
  const duration = ((end === null ? now : Date.parse(end)) - Date.parse(start)) / 1000
  // An open incident's downtime is counted to the end of its round, which may be in the future.
  const downtime = Math.min(incident.downtime, duration)
  const cause = storedText(reason, incident.reason_code, incident.reason_params)
  return (
    <Table.Tr>
      <Table.Td className={styles.time}>
        <Anchor component={Link} to={incidentPath(incident.id)} inherit>
          {formatTime(start)}
        </Anchor>
        <Text hiddenFrom="sm" inherit c="dimmed" className={styles.folded}>
          {cause}
        </Text>
      </Table.Td>
      {!brief && (
        <Table.Td visibleFrom="sm" className={styles.time}>
          {end === null ? (
            <StatusChip tone="red" text={t('monitoring.uptime.incidents.ongoing')} />
          ) : (
            formatTime(end)
          )}
        </Table.Td>
      )}
      <Table.Td className={styles.number}>
        {brief && end === null && (
          // Above the duration, to leave room for the reason.
          <div>
            <StatusChip tone="red" text={t('monitoring.uptime.incidents.ongoing')} />
          </div>
        )}
        {formatDuration(duration, t)}
      </Table.Td>
      {!brief && (
        <Table.Td visibleFrom="sm" className={styles.number}>
          {downtimeText({ downtime, planned: incident.planned }, t)}
        </Table.Td>
      )}
      <Table.Td>
        {kind !== 'moved' && <HttpChip status={status} />}
        {kind !== 'down' && (
          <div>
            <StatusChip tone="orange" text={t(`monitoring.uptime.incidents.${kind}`)} />
          </div>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={styles.reason}>
        {cause}
      </Table.Td>
    </Table.Tr>
  )
}
