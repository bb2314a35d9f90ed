import { type DeploymentSummary, deploymentRoutes } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { Anchor, Button, Skeleton } from '@mantine/core'
import { IconRocket } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isOver, stateTones } from '../../entities/deployment/states.ts'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { elapsedTime, timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './web-page.module.css'

const initialCount = 5

export function Deployments({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const query = useRoute(deploymentRoutes.listDeployments, { query: { web: id } })
  const [showsAll, setAll] = useState(false)
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
                {data.slice(0, showsAll ? data.length : initialCount).map((deployment) => (
                  <Deployment key={deployment.id} deployment={deployment} />
                ))}
              </ol>
              {!showsAll && data.length > initialCount && (
                <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
                  {t('webPage.all', { count: data.length })}
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
          {t(`actions.${kind}.label`)}
        </Anchor>{' '}
        {by !== null && <span className={styles.note}>{by.email}</span>}
      </span>
      <span>
        <StatusChip tone={stateTones[state]} text={t(`deployment.states.${state}`)} />
      </span>
      <span className={styles.number}>{elapsedTime(deployment, now, i18n.language)}</span>
      <time dateTime={created} title={formatTime(created)} className={styles.number}>
        {timeAgo(created, now, i18n.language)}
      </time>
      {state === 'failed' && error !== null && (
        <span className={styles.error}>
          {storedText(error, deployment.error_code, deployment.error_params)}
        </span>
      )}
    </li>
  )
}
