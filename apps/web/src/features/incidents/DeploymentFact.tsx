import { formatTime } from '@kustos/contract/grid'
import { type IncidentDetails, incidentsRoutes } from '@kustos/contract/incidents'
import { Anchor, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { write } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { notifyOutcome } from '../../ui/notify.tsx'
import { DeploymentDialog } from './DeploymentDialog.tsx'
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
  const unlink = () =>
    notifyOutcome(title, t('incidents.deployment.unlinkedDone'), () =>
      write(linkDeployment, { params, body: { deployment: null } }, staleRoutes),
    )
  const find = () =>
    notifyOutcome(title, t('incidents.deployment.foundDone'), () =>
      write(findDeployment, { params }, staleRoutes),
    )
  return (
    <>
      {deployment === null ? (
        t(isChosen ? 'incidents.deployment.unlinked' : 'incidents.deployment.none')
      ) : (
        <Anchor component={Link} to={`/queue/${deployment.id}`} inherit>
          {t(`actions.${deployment.kind}.label`)},{' '}
          {formatTime(deployment.started_at ?? deployment.created_at)}
        </Anchor>
      )}
      <Can access={linkDeployment.access}>
        <Group gap="2px 12px" fz="sm">
          <Choice label={t('incidents.deployment.link')} onClick={() => setOpen(true)} />
          {deployment !== null && (
            <Choice label={t('incidents.deployment.unlink')} onClick={() => void unlink()} />
          )}
          {isChosen && <Choice label={t('incidents.deployment.find')} onClick={() => void find()} />}
        </Group>
      </Can>
      {isOpen && <DeploymentDialog incident={incident} title={title} onClose={() => setOpen(false)} />}
    </>
  )
}

function Choice({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Anchor component="button" type="button" inherit underline="always" onClick={onClick}>
      {label}
    </Anchor>
  )
}
