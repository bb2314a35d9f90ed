import {
  type AlertRoute,
  alertRouteChange,
  alertRoutesRoutes,
  newAlertRoute,
} from '@kustos/contract/alert-routes'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { findListed } from '../../ui/contract-form/find-listed.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { RouteFields } from './RouteFields.tsx'
import { emptyForm, toBody, toForm } from './route-form.ts'
import { staleRoutes } from './stale-routes.ts'

const { createAlertRoute, editAlertRoute, listAlertRoutes } = alertRoutesRoutes

export function AddRouteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('alertRoutes.add')}
      size="xl"
      onClose={onClose}
      schema={newAlertRoute}
      source={emptyForm}
      toValues={(values) => values}
      toBody={(values) => toBody(values)}
      send={(body, signal) => write(createAlertRoute, { body }, staleRoutes, signal)}
      onSaved={(_, { name }) => notifyDone(name.trim(), t('alertRoutes.done.saved'))}
      submitLabel={t('alertRoutes.add')}
    >
      {(fields) => <RouteFields fields={fields} />}
    </FormDialog>
  )
}

interface EditProps {
  readonly route: AlertRoute
  readonly onClose: () => void
}

export function EditRouteDialog({ route, onClose }: EditProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={`${t('alertRoutes.edit')}: ${route.name}`}
      size="xl"
      onClose={onClose}
      schema={alertRouteChange}
      source={route}
      toValues={toForm}
      toBody={(values, source) => ({ ...toBody(values), updated_at: source.updated_at })}
      send={(body, signal) => write(editAlertRoute, { params: { id: route.id }, body }, staleRoutes, signal)}
      loadLatest={() =>
        findListed(
          call(listAlertRoutes, {}).then(({ data }) => data),
          route.id,
          'alert_route_not_found',
        )
      }
      onSaved={(_, { name }) => notifyDone(name.trim(), t('alertRoutes.done.saved'))}
      submitLabel={t('alertRoutes.save')}
    >
      {(fields) => <RouteFields fields={fields} />}
    </FormDialog>
  )
}
