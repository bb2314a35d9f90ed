import { alertChannelsRoutes } from '../alert-channels/routes.ts'
import { alertRoutesRoutes } from '../alert-routes/routes.ts'
import { checksRoutes } from '../checks/routes.ts'
import { customersRoutes } from '../customers/index.ts'
import { domainsRoutes } from '../domains/routes.ts'
import { externalDomainsRoutes } from '../external-domains/index.ts'
import { incidentsRoutes } from '../incidents/routes.ts'
import { maintenanceRoutes } from '../maintenance/routes.ts'
import { nodesRoutes } from '../nodes/index.ts'
import { can } from '../permissions.ts'
import { rotasRoutes } from '../rotas/routes.ts'
import type { Route } from '../route.ts'
import { tagsRoutes } from '../tags/routes.ts'
import { thirdPartiesRoutes } from '../third-parties/routes.ts'
import { trackingContractsRoutes } from '../tracking-contracts/routes.ts'
import { type CurrentUser, usersRoutes } from '../users/index.ts'
import { viewsRoutes } from '../views/routes.ts'
import { webChange, websRoutes } from '../webs/index.ts'
import type { LogEntry } from './log.ts'

const { editWeb, deleteWeb, restoreWeb } = websRoutes
const { deleteUser, restoreUser } = usersRoutes
const { editWebCheck, editCustomerCheck, editTagCheck } = checksRoutes
const { editWebContract, editCustomerContract } = trackingContractsRoutes

/** What a revert needs, too. The browser has no `confirmation`. */
type OppositeRoute = Pick<Route, 'access' | 'confirmation'>

/** The routes that take a change back, by its subject and its description. */
const reverting: Readonly<Record<string, Readonly<Record<string, OppositeRoute>>>> = {
  web: {
    updated: editWeb,
    deleted: restoreWeb,
    restored: deleteWeb,
    'check changed': editWebCheck,
    'contract changed': editWebContract,
  },
  external_domain: { updated: externalDomainsRoutes.editExternalDomain },
  domain: { updated: domainsRoutes.editDomainAlerts },
  role: { updated: usersRoutes.editRole },
  // Everybody may edit their own data. Reverts are for those who edit users, also of one's own change.
  user: { updated: restoreUser, deleted: restoreUser, restored: deleteUser },
  node: { updated: nodesRoutes.editNode },
  customer: {
    updated: customersRoutes.editCustomer,
    'check changed': editCustomerCheck,
    'contract changed': editCustomerContract,
  },
  tag: { updated: tagsRoutes.editTag, 'check changed': editTagCheck },
  alert_channel: { updated: alertChannelsRoutes.editAlertChannel },
  alert_route: { updated: alertRoutesRoutes.editAlertRoute },
  rota: { updated: rotasRoutes.editRota },
  maintenance_window: { updated: maintenanceRoutes.editWindow },
  alert_route_order: { updated: alertRoutesRoutes.orderAlertRoutes },
  view: { updated: viewsRoutes.editView, 'preference changed': viewsRoutes.editViewPreference },
  third_party: { updated: thirdPartiesRoutes.classifyThirdParty },
  tracking_policy: { updated: thirdPartiesRoutes.editTrackingPolicy },
  incident: {
    'post-mortem written': incidentsRoutes.writePostMortem,
    'deployment linked': incidentsRoutes.linkDeployment,
    'deployment unlinked': incidentsRoutes.linkDeployment,
  },
}

/** The route of the opposite change, whose rights a revert of a log entry needs. Null if it cannot be reverted. */
export const oppositeRouteOf = ({
  subject_type: type,
  description,
  properties: { old = {} },
}: Pick<LogEntry, 'subject_type' | 'description' | 'properties'>): OppositeRoute | null => {
  const hasNoValue = description === 'updated' && Object.keys(old).length === 0
  return hasNoValue ? null : (reverting[type ?? '']?.[description] ?? null)
}

/** Whether a user may revert a log entry. What users have chosen for themselves, nobody else reverts. */
export function mayRevert(
  user: CurrentUser | null,
  entry: Pick<LogEntry, 'subject_type' | 'description' | 'properties' | 'causer_id'>,
): boolean {
  const opposite = oppositeRouteOf(entry)
  if (user === null || opposite === null || !can(user, opposite.access)) return false
  return entry.description !== 'preference changed' || entry.causer_id === user.id
}

/** Of older releases: they follow the name of a web. */
export const derivedFields: readonly string[] = ['cert_ca', 'cert_from', 'cert_expiration']

/** What users change in a web, as the log names it. Other fields are read from its node. */
const fieldsOfWeb: readonly string[] = [
  ...Object.keys(webChange.shape).filter((field) => field !== 'node'),
  ...derivedFields,
]

export type RevertRefusal =
  | 'merge_not_revertible'
  | 'tag_change_not_revertible'
  | 'node_rename_not_revertible'
  | 'password_not_revertible'
  | 'panel_key_not_revertible'
  | 'check_headers_not_revertible'
  | 'channel_secret_not_revertible'
  | 'node_facts_not_revertible'

/** Why a change can never be reverted, where that is not plain; null for others. */
export function findRevertRefusal({
  subject_type: type,
  description,
  properties: { attributes = {}, old = {} },
}: Pick<LogEntry, 'subject_type' | 'description' | 'properties'>): RevertRefusal | null {
  const isOfMerge = description === 'updated' && 'merge' in attributes
  if (isOfMerge || (type === 'customer' && description === 'merged')) return 'merge_not_revertible'
  if (type === 'view' && 'tag' in attributes) return 'tag_change_not_revertible'
  if (type === 'view' && 'node' in attributes) return 'node_rename_not_revertible'
  if (type === 'user' && description === 'updated, with a new password') return 'password_not_revertible'
  if (type === 'web' && description === 'updated')
    return Object.keys(old).every((field) => fieldsOfWeb.includes(field)) ? null : 'node_facts_not_revertible'
  if (description === 'check changed')
    return 'headers' in old || 'header_values' in attributes ? 'check_headers_not_revertible' : null
  if (type === 'alert_channel')
    return 'url' in attributes || 'key' in attributes ? 'channel_secret_not_revertible' : null
  const isOfKeyAlone = 'panel_key' in attributes && Object.keys(old).length === 0
  return type === 'node' && description === 'updated' && isOfKeyAlone ? 'panel_key_not_revertible' : null
}
