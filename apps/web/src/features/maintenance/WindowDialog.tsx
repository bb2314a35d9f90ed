import {
  type MaintenanceWindow,
  maintenanceRoutes,
  maintenanceWindowChange,
  newMaintenanceWindow,
} from '@kustos/contract/maintenance'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { findListed } from '../../ui/contract-form/find-listed.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { WindowFields } from './WindowFields.tsx'
import { emptyForm, type Preset, toBody, toForm } from './window-form.ts'

const { planWindow, editWindow, listWindows, listWebsInMaintenance } = maintenanceRoutes
/** What a change of a window may change. */
export const staleRoutes = [listWindows, listWebsInMaintenance, monitoringRoutes.listMonitoredWebs]

interface PlanProps {
  readonly preset: Preset
  readonly onClose: () => void
}

export function PlanWindowDialog({ preset, onClose }: PlanProps) {
  const { t } = useTranslation()
  const [source] = useState(() => emptyForm(preset, Date.now()))
  return (
    <FormDialog
      title={t('maintenance.planTitle')}
      size="xl"
      onClose={onClose}
      schema={newMaintenanceWindow}
      source={source}
      toValues={(values) => values}
      toBody={(values) => toBody(values)}
      send={(body, signal) => write(planWindow, { body }, staleRoutes, signal)}
      onSaved={(_, { reason }) => notifyDone(reason.trim(), t('maintenance.done.planned'))}
      submitLabel={t('maintenance.plan')}
    >
      {(fields) => <WindowFields fields={fields} chosen={[]} />}
    </FormDialog>
  )
}

interface EditProps {
  readonly window: MaintenanceWindow
  readonly onClose: () => void
}

export function EditWindowDialog({ window, onClose }: EditProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('maintenance.editTitle')}
      size="xl"
      onClose={onClose}
      schema={maintenanceWindowChange}
      source={window}
      toValues={toForm}
      toBody={(values, source) => ({ ...toBody(values, source), updated_at: source.updated_at })}
      send={(body, signal) => write(editWindow, { params: { id: window.id }, body }, staleRoutes, signal)}
      loadLatest={() =>
        findListed(
          call(listWindows, {}).then(({ data }) => data),
          window.id,
          'maintenance_window_not_found',
        )
      }
      onSaved={(_, { reason }) => notifyDone(reason.trim(), t('maintenance.done.saved'))}
      submitLabel={t('maintenance.save')}
    >
      {(fields) => <WindowFields fields={fields} chosen={window.webs} />}
    </FormDialog>
  )
}
