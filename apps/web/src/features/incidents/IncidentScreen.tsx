import { type IncidentDetails, incidentsRoutes } from '@kustos/contract/incidents'
import { Skeleton } from '@mantine/core'
import { IconCircleOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import styles from '../../ui/page-sections.module.css'
import { QueryState } from '../../ui/QueryState.tsx'
import { Comments } from './Comments.tsx'
import { IncidentActions } from './IncidentActions.tsx'
import { IncidentFacts } from './IncidentFacts.tsx'
import { IncidentTimeline } from './IncidentTimeline.tsx'
import { Members } from './Members.tsx'
import { PostMortem } from './PostMortem.tsx'
import { StateChip } from './StateChip.tsx'
import { useIncidentTitle } from './use-incident-title.ts'

export default function IncidentScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <>
      <BackLink to={getListUrl('/monitoring/incidents')} label={t('screens.monitoring-incidents.title')} />
      {/^[1-9]\d{0,8}$/.test(id) ? <Loaded id={Number(id)} /> : <Missing id={id} />}
    </>
  )
}

function Missing({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconCircleOff}
      title={t('incidents.missing', { id })}
      hint={t('incidents.missingHint')}
    />
  )
}

function Loaded({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const query = useRoute(incidentsRoutes.readIncident, { params: { id } })
  if (query.error?.status === 404) return <Missing id={String(id)} />
  const skeleton = (
    <>
      <PageHeader title={t('incidents.numbered', { id })} />
      <Skeleton h={900} />
    </>
  )
  return (
    <QueryState query={query} skeleton={skeleton}>
      {(incident) => <Incident incident={incident} />}
    </QueryState>
  )
}

function Incident({ incident }: { readonly incident: IncidentDetails }) {
  const { t } = useTranslation()
  const title = useIncidentTitle()(incident)
  useEffect(() => {
    document.title = `${title} · ${t('app.title')}`
  }, [title, t])
  return (
    <>
      <PageHeader
        title={title}
        beside={<StateChip incident={incident} />}
        actions={incident.ended_at === null && <IncidentActions incident={incident} title={title} />}
      />
      <div className={styles.sections}>
        <div className={styles.columns}>
          <IncidentFacts incident={incident} />
          <Comments id={incident.id} />
        </div>
        {incident.web === null && <Members entries={incident.entries} />}
        <PostMortem incident={incident} title={title} />
        <IncidentTimeline incident={incident} />
      </div>
    </>
  )
}
