import { type DeploymentSummary, deploymentRoutes } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { type IncidentDetails, incidentsRoutes, linkedDeployment } from '@kustos/contract/incidents'
import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRoute, write } from '../../platform/query.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { staleRoutes } from './stale-routes.ts'

interface Props {
  readonly incident: IncidentDetails
  readonly title: string
  readonly onClose: () => void
}

/** Links a deployment of one of the incident's webs. */
export function DeploymentDialog({ incident, title, onClose }: Props) {
  const { t } = useTranslation()
  const params = { id: incident.id }
  const { isLoading, options } = useDeployments(incident)
  return (
    <FormDialog
      title={`${t('incidents.deployment.link')}: ${title}`}
      onClose={onClose}
      schema={linkedDeployment}
      source={incident}
      toValues={(): { deployment: string | null } => ({ deployment: null })}
      toBody={({ deployment }) => ({ deployment: Number(deployment) })}
      send={(body, signal) => write(incidentsRoutes.linkDeployment, { params, body }, staleRoutes, signal)}
      onSaved={() => notifyDone(title, t('incidents.deployment.linked'))}
      submitDisabled={options.length === 0}
      submitLabel={t('incidents.deployment.link')}
    >
      {({ field }) => (
        <Select
          {...field('deployment', {
            label: t('incidents.facts.deployment'),
            ...(!isLoading && options.length === 0 && { hint: t('incidents.deployment.nothing') }),
          })}
          data={options}
          placeholder={t('incidents.deployment.choose')}
          searchable
          openOnFocus={false}
          nothingFoundMessage={t('webs.form.noMatch')}
          data-autofocus
          readOnly={options.length === 0}
        />
      )}
    </FormDialog>
  )
}

/** The deployments of the incident's webs that were requested before it began, newest first. */
function useDeployments({ web, entries, started_at: begin }: IncidentDetails) {
  const { t } = useTranslation()
  const webs = new Set((web === null ? entries.map((entry) => entry.web) : [web]).map((one) => one?.id))
  const { data, isLoading } = useRoute(deploymentRoutes.listDeployments, {
    query: web === null ? {} : { web: String(web.id) },
  })
  const describe = ({ kind, fqdn, state, started_at: start, created_at: requested }: DeploymentSummary) =>
    [
      formatTime(start ?? requested),
      t(`actions.${kind}.label`),
      ...(web === null ? [fqdn] : []),
      t(`deployment.states.${state}`),
    ].join(' · ')
  const found = (data?.data ?? []).filter(
    ({ web_id: id, created_at: at }) => id !== null && webs.has(id) && at <= begin,
  )
  return {
    isLoading,
    options: found.map((one) => ({ value: String(one.id), label: describe(one) })),
  }
}
