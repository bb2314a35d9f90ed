import { type BatchAction, batchActions } from '@kustos/contract/batches'
import { deploymentRoutes, type NodeAction, nodeActionOf } from '@kustos/contract/deployment'
import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { monitoringRoutes, uptimePath } from '@kustos/contract/monitoring'
import type { Access } from '@kustos/contract/permissions'
import { trackingRoutes } from '@kustos/contract/tracking'
import { type Web, websRoutes } from '@kustos/contract/webs'
import {
  type Icon,
  IconArchive,
  IconArrowBigUpLines,
  IconBarrierBlock,
  IconBarrierBlockOff,
  IconChartLine,
  IconCopy,
  IconDatabaseExport,
  IconDatabaseImport,
  IconDatabaseShare,
  IconExternalLink,
  IconPencil,
  IconRadar2,
  IconRefresh,
  IconRestore,
  IconTimelineEvent,
  IconTrash,
  IconWorld,
  IconZoomScan,
} from '@tabler/icons-react'
import { write } from '../../../platform/query.ts'
import { requestNodeAction } from '../../deployment/request-deployment.ts'
import { requestInspection } from '../../inspection/request-inspection.ts'
import { planMaintenanceOfMany, planMaintenancePath } from '../../maintenance/paths.ts'
import { trackingPath } from '../../tracking/paths.ts'
import { webPath } from '../paths.ts'

const { listWebs, readWeb, refreshWeb, editWeb, deleteWeb, restoreWeb } = websRoutes

/** As much of a web as its actions need to know. */
export type ActionableWeb = Pick<Web, 'id' | 'fqdn' | 'node' | 'deleted_at'>

/** Where actions are shown. Row menus, context menus and bulk bars are those of a list. */
export type ActionPlace = 'list' | 'trackingList' | 'page' | 'palette'

/** Texts besides those under `actions.<name>`. */
type ExtraText =
  | 'actions.delete.hint'
  | 'actions.refresh.show'
  | 'actions.tracking.label'
  | 'confirm.delete'
  | 'confirm.restore'
  | 'actions.showDeployment'
  | 'actions.showQueue'
  | 'tracking.list.edit'
  | 'tracking.list.refresh'

interface ActionLink {
  readonly to: string
  readonly label: ExtraText
  readonly access: Access
}

/** Asks the server for something. */
export interface RequestAction {
  /** @returns the id of what was requested, such as a deployment; null where there is nothing to follow */
  readonly request: (web: ActionableWeb, options: { readonly backup: boolean }) => Promise<number | null>
  /** Whether `actions.<name>.question` is asked before. Batches always ask. */
  readonly confirms?: boolean
  /** Another question than that. */
  readonly question?: ExtraText
  /** The dialog is red and does not confirm on Enter. */
  readonly overwrites?: boolean
  /** A dimmed text under the question. */
  readonly hint?: ExtraText
  /** Whether the dialog offers a backup before. */
  readonly offersBackup?: boolean
  /** The batch that the lists offer for all selected webs, with the texts `actions.<name>.many`. */
  readonly batch?: BatchAction | undefined
  /** Refused in the browser for webs on nodes that take no deployments. */
  readonly onCloudNodesOnly?: boolean
  /** The target of the notification's link. */
  readonly linkTo?: (id: number | null, web: ActionableWeb) => ActionLink
  /** The action that takes it back. */
  readonly undo?: 'restore'
  /** Whether a refusal is shown as a notification and not in a dialog. */
  readonly isListChange?: boolean
}

export type WebAction = {
  readonly icon: Icon
  readonly access: Access
  readonly places: readonly ActionPlace[]
  /** Which webs it applies to; active ones unless given. */
  readonly appliesTo?: 'deleted' | 'all' | 'inMaintenance'
  /** Shown in red, set apart. */
  readonly danger?: boolean
  /** Another label in a place. */
  readonly labels?: { readonly [Place in ActionPlace]?: ExtraText }
} & (
  | RequestAction
  | {
      readonly path: (web: ActionableWeb) => string
      /** The screen that does it for all selected webs of a list. */
      readonly linkForMany?: (webs: readonly ActionableWeb[]) => {
        readonly path: string
        readonly state: unknown
      }
    }
  | { readonly run: (web: ActionableWeb, copy: (text: string) => void) => void }
)

const everywhere: readonly ActionPlace[] = ['list', 'page', 'palette']
const everyList: readonly ActionPlace[] = ['list', 'trackingList', 'page', 'palette']

function nodeAction(name: NodeAction, icon: Icon): WebAction {
  const { access, confirms, overwrites = false, options = [] } = nodeActionOf(name)
  const offersBackup = options.includes('backup')
  return {
    icon,
    access,
    places: everywhere,
    confirms,
    overwrites,
    offersBackup,
    batch: batchActions.find((action) => action === name),
    onCloudNodesOnly: true,
    request: ({ id }, { backup }) => requestNodeAction(name, offersBackup ? { id, backup } : { id }),
    linkTo: (id) => ({
      to: id === null ? '/queue' : `/queue/${id}`,
      label: id === null ? 'actions.showQueue' : 'actions.showDeployment',
      access: deploymentRoutes.readDeployment.access,
    }),
  }
}

/** Deletes or restores a web. */
function changeAction(route: typeof deleteWeb | typeof restoreWeb) {
  return {
    access: route.access,
    confirms: true,
    isListChange: true,
    async request({ id }: ActionableWeb) {
      await write(route, { params: { id } }, [listWebs])
      return null
    },
  }
}

/** Links to the page of one web that follows the inspection. */
const linkToInspection =
  (path: (web: number) => string, label: ExtraText, access: Access): NonNullable<RequestAction['linkTo']> =>
  (id, web) => ({ to: `${path(web.id)}${id === null ? '' : `?inspection=${id}`}`, label, access })

/** Everything that can be done with a web, in the order of the lists' menus. Their texts are in the catalogues, `actions`. */
export const webActions = {
  importDatabase: nodeAction('importDatabase', IconDatabaseImport),
  exportDatabaseKick: nodeAction('exportDatabaseKick', IconDatabaseShare),
  exportDatabase: nodeAction('exportDatabase', IconDatabaseExport),
  refresh: {
    icon: IconRefresh,
    access: refreshWeb.access,
    places: everywhere,
    confirms: true,
    batch: 'refresh',
    request: ({ id }) => requestInspection(refreshWeb, id),
    linkTo: linkToInspection(webPath, 'actions.refresh.show', readWeb.access),
  },
  updateWeb: nodeAction('updateWeb', IconArrowBigUpLines),
  backupWeb: nodeAction('backupWeb', IconArchive),
  audit: {
    icon: IconZoomScan,
    access: trackingRoutes.updateTracking.access,
    places: ['trackingList', 'page', 'palette'],
    labels: { trackingList: 'tracking.list.refresh' },
    batch: 'audit',
    request: ({ id }) => requestInspection(trackingRoutes.updateTracking, id),
    linkTo: linkToInspection(
      trackingPath,
      'actions.tracking.label',
      trackingRoutes.listTrackingAudits.access,
    ),
  },
  show: { icon: IconWorld, access: readWeb.access, places: ['palette'], path: ({ id }) => webPath(id) },
  tracking: {
    icon: IconRadar2,
    access: trackingRoutes.listTrackingAudits.access,
    places: ['trackingList', 'page', 'palette'],
    path: ({ id }) => trackingPath(id),
  },
  edit: {
    icon: IconPencil,
    access: editWeb.access,
    places: everyList,
    labels: { trackingList: 'tracking.list.edit' },
    path: ({ id }) => `/hosting/edit/${id}`,
  },
  planMaintenance: {
    icon: IconBarrierBlock,
    access: maintenanceRoutes.planWindow.access,
    places: everywhere,
    path: ({ id }) => planMaintenancePath({ webs: [id] }),
    linkForMany: (webs) => planMaintenanceOfMany(webs.map(({ id }) => id)),
  },
  endMaintenance: {
    icon: IconBarrierBlockOff,
    access: maintenanceRoutes.endMaintenance.access,
    places: everywhere,
    appliesTo: 'inMaintenance',
    confirms: true,
    batch: 'endMaintenance',
    async request({ id }: ActionableWeb) {
      const { listWindows, listWebsInMaintenance } = maintenanceRoutes
      const stale = [listWindows, listWebsInMaintenance, monitoringRoutes.listMonitoredWebs]
      await write(maintenanceRoutes.endMaintenance, { params: { id } }, stale)
      return null
    },
  },
  uptime: {
    icon: IconChartLine,
    access: monitoringRoutes.listUptime.access,
    places: everywhere,
    path: uptimePath,
  },
  probes: {
    icon: IconTimelineEvent,
    access: monitoringRoutes.listStatistics.access,
    places: ['page', 'palette'],
    path: ({ id }) => `/monitoring/events?web=${id}`,
  },
  open: {
    icon: IconExternalLink,
    access: 'signed-in',
    places: everyList,
    run: ({ fqdn }) => void window.open(`https://${fqdn}`, '_blank', 'noopener,noreferrer'),
  },
  copy: {
    icon: IconCopy,
    access: 'signed-in',
    places: everyList,
    appliesTo: 'all',
    run: ({ fqdn }, copy) => copy(fqdn),
  },
  delete: {
    ...changeAction(deleteWeb),
    question: 'confirm.delete',
    icon: IconTrash,
    places: everywhere,
    danger: true,
    hint: 'actions.delete.hint',
    undo: 'restore',
    batch: 'delete',
  },
  restore: {
    ...changeAction(restoreWeb),
    question: 'confirm.restore',
    icon: IconRestore,
    places: everywhere,
    appliesTo: 'deleted',
    batch: 'restore',
  },
} as const satisfies Readonly<Record<NodeAction, WebAction>> & Readonly<Record<string, WebAction>>

export type WebActionName = keyof typeof webActions

/** The order of the web page, the palette and the bar of selected webs. */
export const mostUsedFirst: readonly WebActionName[] = [
  'show',
  'edit',
  'refresh',
  'updateWeb',
  'backupWeb',
  'exportDatabase',
  'exportDatabaseKick',
  'importDatabase',
  'audit',
  'tracking',
  'uptime',
  'probes',
  'planMaintenance',
  'endMaintenance',
  'open',
  'copy',
  'delete',
  'restore',
]

/** The actions that the bar of selected webs has in its menu. */
export const minorBulkActions: readonly WebActionName[] = [
  'exportDatabase',
  'exportDatabaseKick',
  'planMaintenance',
  'endMaintenance',
]

/** The actions that have a button on the web page; the others are in its menu. */
export const webPageButtons: readonly WebActionName[] = ['refresh', 'backupWeb', 'updateWeb']

export const webActionNames = Object.keys(webActions) as readonly WebActionName[]

/** The definition of an action, with the fields that it leaves out. */
export const webActionOf = (name: WebActionName): WebAction => webActions[name]

/** Whether it applies to a web, active or deleted. @param inMaintenance ids of webs */
export function appliesTo(
  { appliesTo: which }: WebAction,
  web: ActionableWeb,
  inMaintenance: ReadonlySet<number>,
): boolean {
  if (which === 'all') return true
  if ((which === 'deleted') !== (web.deleted_at !== null)) return false
  return which !== 'inMaintenance' || inMaintenance.has(web.id)
}
