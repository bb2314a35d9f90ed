import type { DeploymentSummary } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { storedText } from '../../platform/message-text.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { elapsedTime, timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './deployment-list.module.css'
import { isOver, stateTones } from './states.ts'

interface Props {
  readonly deployments: readonly DeploymentSummary[]
  /** Whether they are of several webs. */
  readonly showsWeb?: boolean
}

export function DeploymentList({ deployments, showsWeb = false }: Props) {
  return (
    <ol className={styles.deployments}>
      {deployments.map((deployment) => (
        <Item key={deployment.id} deployment={deployment} showsWeb={showsWeb} />
      ))}
    </ol>
  )
}

interface ItemProps {
  readonly deployment: DeploymentSummary
  readonly showsWeb: boolean
}

function Item({ deployment, showsWeb }: ItemProps) {
  const { t, i18n } = useTranslation()
  const { id, kind, state, fqdn, created_at: created, requested_by: by, error } = deployment
  const now = useNow(isOver(state) ? 30_000 : 1000)
  return (
    <li className={styles.deployment}>
      <span className={styles.by}>
        <Anchor component={Link} to={`/queue/${id}`} inherit>
          {t(`actions.${kind}.label`)}
        </Anchor>
        {showsWeb && <span className={styles.web}>{fqdn}</span>}
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
