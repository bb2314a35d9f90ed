import { type DeploymentSummary, deploymentRoutes } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { Anchor, Button, Skeleton } from '@mantine/core'
import { IconRocket } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isOver, stateTones } from '../../features/deployment/states.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { duration, runningTime, timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { useRoute } from '../query.ts'
import { sentence } from '../sentences.ts'
import styles from './web-page.module.css'

/** So many stand there before somebody asks for all. */
const first = 5

/** What was done to the web, newest first. */
export function Deployments({ id }: { readonly id: string }) {
  const { t, i18n } = useTranslation()
  const query = useRoute(deploymentRoutes.listDeployments, { query: { web: id } })
  const [isAll, setAll] = useState(false)
  return (
    <Section title={t('webPage.deployments.title')}>
      <QueryState query={query} skeleton={<Skeleton h={160} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState
              icon={IconRocket}
              title={t('webPage.deployments.none')}
              hint={t('webPage.deployments.noneHint')}
            />
          ) : (
            <>
              <ol className={styles.deployments}>
                {data.slice(0, isAll ? data.length : first).map((deployment) => (
                  <Deployment key={deployment.id} deployment={deployment} />
                ))}
              </ol>
              {!isAll && data.length > first && (
                <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
                  {t('webPage.all', { formatted: data.length.toLocaleString(i18n.language) })}
                </Button>
              )}
            </>
          )
        }
      </QueryState>
    </Section>
  )
}

function Deployment({ deployment }: { readonly deployment: DeploymentSummary }) {
  const { t, i18n } = useTranslation()
  const { id, kind, state, created_at: created, requested_by: by, error } = deployment
  const now = useNow(isOver(state) ? 30_000 : 1000)
  return (
    <li className={styles.deployment}>
      <span className={styles.by}>
        <Anchor component={Link} to={`/queue/${id}`} inherit>
          {t(`deployment.kinds.${kind}`)}
        </Anchor>{' '}
        {by !== null && <span className={styles.note}>{by.email}</span>}
      </span>
      <span>
        <StatusChip tone={stateTones[state]} text={t(`deployment.states.${state}`)} />
      </span>
      <span className={styles.number}>{lengthOf(deployment, now, i18n.language)}</span>
      <time dateTime={created} title={formatTime(created)} className={styles.number}>
        {timeAgo(created, now, i18n.language)}
      </time>
      {state === 'failed' && error !== null && <span className={styles.error}>{sentence(error)}</span>}
    </li>
  )
}

/** How long it has been running, or how long it took. */
function lengthOf({ started_at: start, ended_at: end }: DeploymentSummary, now: number, language: string) {
  if (start === null) return ''
  return end === null
    ? runningTime(now - Date.parse(start))
    : duration(Date.parse(end) - Date.parse(start), language)
}
