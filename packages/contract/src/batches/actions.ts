import { checksRoutes } from '../checks/routes.ts'
import { type NodeAction, nodeActionNames, nodeActionOf, nodeActions } from '../deployment/actions.ts'
import { maintenanceRoutes } from '../maintenance/routes.ts'
import type { Access } from '../permissions.ts'
import { trackingRoutes } from '../tracking.ts'
import { websRoutes } from '../webs/index.ts'

/** The actions on a node that can be requested for many webs at once. */
export type BatchNodeAction = {
  [Action in NodeAction]: (typeof nodeActions)[Action] extends { readonly takesMany: true } ? Action : never
}[NodeAction]

const isBatchNodeAction = (name: NodeAction): name is BatchNodeAction => nodeActionOf(name).takesMany === true

const ownActions = {
  refresh: websRoutes.refreshWeb,
  audit: trackingRoutes.updateTracking,
  endMaintenance: maintenanceRoutes.endMaintenance,
  edit: websRoutes.editWeb,
  changeCheck: checksRoutes.editWebCheck,
  delete: websRoutes.deleteWeb,
  restore: websRoutes.restoreWeb,
} as const

export type BatchAction = BatchNodeAction | keyof typeof ownActions

export const batchActions: readonly BatchAction[] = [
  ...nodeActionNames.filter(isBatchNodeAction),
  ...(Object.keys(ownActions) as (keyof typeof ownActions)[]),
]

export const asBatchNodeAction = (action: BatchAction): BatchNodeAction | null =>
  action in nodeActions ? (action as BatchNodeAction) : null

/** Who may run a batch of an action: those who may run the action. */
export const batchAccessOf = (action: BatchAction): Access =>
  action in ownActions
    ? ownActions[action as keyof typeof ownActions].access
    : nodeActionOf(action as NodeAction).access

/** The action that takes a batch of another one back. */
export const opposites: {
  readonly [Action in BatchAction]?: 'changeCheck' | 'edit' | 'delete' | 'restore'
} = {
  changeCheck: 'changeCheck',
  edit: 'edit',
  delete: 'restore',
  restore: 'delete',
}

/** Whether a batch of an action needs a recently entered password, as the action itself does. For the server only. */
export const batchNeedsConfirmation = (action: BatchAction): boolean =>
  action in ownActions && 'confirmation' in ownActions[action as keyof typeof ownActions]

const ownNames = {
  refresh: 'Re-scan',
  audit: 'Tracking audit',
  endMaintenance: 'End maintenance',
  edit: 'Edit',
  changeCheck: 'Change check',
  delete: 'Delete',
  restore: 'Restore',
}

/** The English name of an action. */
export const batchName = (action: BatchAction): string =>
  action in ownNames ? ownNames[action as keyof typeof ownNames] : nodeActionOf(action as NodeAction).name
