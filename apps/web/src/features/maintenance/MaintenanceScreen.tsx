import { type MaintenanceWindow, maintenanceColumns, maintenanceRoutes } from '@kustos/contract/maintenance'
import { can } from '@kustos/contract/permissions'
import { Button } from '@mantine/core'
import { IconBarrierBlock, IconBarrierBlockOff, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router-dom'
import { readPlannedWebs } from '../../entities/maintenance/paths.ts'
import { useScheduleText } from '../../entities/maintenance/use-schedule-text.ts'
import { useRoute, write } from '../../platform/query.ts'
import { useUpdatableSearchParams } from '../../platform/search-params.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridButton } from '../../ui/data-grid/GridButton.tsx'
import type { Cells, RowActions } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { EditWindowDialog, PlanWindowDialog, staleRoutes } from './WindowDialog.tsx'
import type { Preset } from './window-form.ts'

const { listWindows, planWindow, deleteWindow, endWindow } = maintenanceRoutes

const getId = ({ id }: MaintenanceWindow) => id
const isPast = ({ state }: MaintenanceWindow) => state === 'past'

/** All maintenance windows. With `?plan=1` the form for a new one is open. */
export default function MaintenanceScreen() {
  const { t } = useTranslation()
  const query = useRoute(listWindows, {})
  const [edited, setEdited] = useState<MaintenanceWindow | null>(null)
  const { preset, open, close } = usePlanForm()
  const rowActions = useRowActions(setEdited)
  const scheduleText = useScheduleText()
  const mayPlan = can(useUser(), planWindow.access)
  const cells = useMemo(
    (): Cells<MaintenanceWindow> => ({
      reason: (row) =>
        mayPlan && !isPast(row) ? (
          <GridButton onClick={() => setEdited(row)}>{row.reason}</GridButton>
        ) : (
          row.reason
        ),
      schedule: (row) => scheduleText(row),
    }),
    [scheduleText, mayPlan],
  )
  const plan = (
    <Can access={planWindow.access}>
      <Button leftSection={<IconBarrierBlock size={16} />} onClick={open}>
        {t('maintenance.plan')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataGrid
        id="maintenance"
        title={t('screens.maintenance.title')}
        grid={maintenanceColumns}
        query={query}
        rows={query.data?.data}
        getRowId={getId}
        renderCell={cells}
        // Without the right to plan, each row would have an empty menu.
        {...(mayPlan && { rowActions })}
        isMuted={isPast}
        empty={{
          icon: IconBarrierBlock,
          title: t('maintenance.empty'),
          hint: t('maintenance.emptyHint'),
          action: plan,
        }}
        toolbar={() => plan}
      />
      {preset !== null && (
        <Can access={planWindow.access}>
          <PlanWindowDialog preset={preset} onClose={close} />
        </Can>
      )}
      {edited !== null && <EditWindowDialog window={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

/** The form for a new window is a part of the address, so that other screens link to it. Many webs come beside it. */
function usePlanForm() {
  const { state } = useLocation()
  const [searchParams] = useSearchParams()
  const [, updateSearchParams] = useUpdatableSearchParams()
  const isOpen = searchParams.get('plan') === '1'
  const listOf = (name: string) => searchParams.get(name)?.split(',').filter(Boolean) ?? []
  const nameIn = (name: string) => searchParams.getAll(name).filter(Boolean)
  const preset: Preset | null = isOpen
    ? {
        webs: [...listOf('webs'), ...readPlannedWebs(state)],
        nodes: nameIn('node'),
        customers: nameIn('customer'),
        tags: nameIn('tag'),
      }
    : null
  const closed = { plan: null, webs: null, node: null, customer: null, tag: null }
  return {
    preset,
    // The form is no step of the history: Back asks about its input, and does not reopen it.
    open: () => updateSearchParams({ plan: '1' }, { replace: true }),
    close: () => updateSearchParams(closed, { replace: true }),
  }
}

function useRowActions(edit: (window: MaintenanceWindow) => void): (row: MaintenanceWindow) => RowActions {
  const { t } = useTranslation()
  const confirm = useConfirm()

  async function end({ id, reason }: MaintenanceWindow) {
    const question = { text: t('maintenance.endQuestion'), yes: t('maintenance.end') }
    if (!(await confirm({ title: reason, ...question }))) return
    await notifyOutcome(reason, t('maintenance.done.ended'), () =>
      write(endWindow, { params: { id } }, staleRoutes),
    )
  }
  async function remove({ id, reason }: MaintenanceWindow) {
    const question = {
      text: t('confirm.deleteNamed.maintenance', { name: reason }),
      hint: t('maintenance.deleteHint'),
      yes: t('maintenance.delete'),
    }
    if (!(await confirm({ title: reason, ...question, danger: true }))) return
    await notifyOutcome(reason, t('maintenance.done.deleted'), () =>
      write(deleteWindow, { params: { id } }, staleRoutes),
    )
  }

  return (window) => [
    !isPast(window) && {
      key: 'edit',
      label: t('maintenance.edit'),
      icon: IconPencil,
      run: () => edit(window),
    },
    window.state === 'running' && {
      key: 'end',
      label: t('maintenance.end'),
      icon: IconBarrierBlockOff,
      run: () => void end(window),
    },
    {
      key: 'delete',
      label: t('maintenance.delete'),
      icon: IconTrash,
      danger: true,
      run: () => void remove(window),
    },
  ]
}
