import { formatTime } from '@kustos/contract/grid'
import { type IncidentDetails, incidentsRoutes } from '@kustos/contract/incidents'
import { Anchor, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { write } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { notifyFailed } from '../../ui/notify.tsx'
import { DeploymentDialog } from './IncidentDialogs.tsx'
import { staleRoutes } from './stale-routes.ts'
import { useIncidentTitle } from './use-incident-title.ts'

const { findDeployment, linkDeployment } = incidentsRoutes

/** The deployment that preceded an incident, which is found unless a user has chosen one. */
export function DeploymentFact({ incident }: { readonly incident: IncidentDetails }) {
  const { t } = useTranslation()
  const title = useIncidentTitle()(incident)
  const [isOpen, setOpen] = useState(false)
  const { deployment, is_deployment_chosen: isChosen } = incident
  const params = { id: incident.id }
  const attempt = (change: Promise<unknown>) => change.catch((error: unknown) => notifyFailed(title, error))
  return (
    <Group gap="4px 10px">
      {deployment === null ? (
        t(isChosen ? 'incidents.deployment.unlinked' : 'incidents.deployment.none')
      ) : (
        <Anchor component={Link} to={`/queue/${deployment.id}`} inherit>
          {t(`actions.${deployment.kind}.label`)},{' '}
          {formatTime(deployment.started_at ?? deployment.created_at)}
        </Anchor>
      )}
      <Can access={linkDeployment.access}>
        {deployment !== null && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() =>
              void attempt(write(linkDeployment, { params, body: { deployment: null } }, staleRoutes))
            }
          >
            {t('incidents.deployment.unlink')}
          </Button>
        )}
        <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
          {t('incidents.deployment.link')}
        </Button>
        {isChosen && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => void attempt(write(findDeployment, { params }, staleRoutes))}
          >
            {t('incidents.deployment.find')}
          </Button>
        )}
      </Can>
      {isOpen && <DeploymentDialog incident={incident} title={title} onClose={() => setOpen(false)} />}
    </Group>
  )
}
