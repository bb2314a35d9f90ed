import { batchesRoutes } from '../batches/index.ts'
import { bitbucketRoutes } from '../bitbucket.ts'
import { customersRoutes } from '../customers/index.ts'
import { externalDomainsRoutes } from '../external-domains/index.ts'
import { limitisRoutes } from '../limitis/index.ts'
import { logsRoutes } from '../logs/routes.ts'
import { monitoringRoutes } from '../monitoring/index.ts'
import { nodesRoutes } from '../nodes/index.ts'
import type { Access } from '../permissions.ts'
import { queueRoutes } from '../queue.ts'
import { tagsRoutes } from '../tags/index.ts'
import { thirdPartiesRoutes } from '../third-parties/routes.ts'
import { usersRoutes } from '../users/index.ts'
import { websRoutes } from '../webs/index.ts'

export interface ListWithViews {
  readonly path: string
  /** Who may open the list, and so its views. */
  readonly access: Access
  /** Query parameters that the list has besides its grid's, and that views keep: none by default, all there are if null. */
  readonly params?: readonly string[] | null
}

const { listExternalDomains } = externalDomainsRoutes
const { listOwnDomains, listEmails } = limitisRoutes

/** The lists that have views, by the name that views store. A name cannot change, since views would lose their list. */
export const listsWithViews = {
  webs: { path: '/hosting', access: websRoutes.listWebs.access, params: ['deleted'] },
  tracking: { path: '/hosting/tracking', access: websRoutes.listWebs.access, params: ['before_consent'] },
  'third-parties': {
    path: '/hosting/third-parties',
    access: thirdPartiesRoutes.listThirdParties.access,
    params: ['review'],
  },
  customers: { path: '/customers', access: customersRoutes.listCustomers.access },
  nodes: { path: '/nodes', access: nodesRoutes.listNodes.access },
  bitbucket: { path: '/hosting/bitbucket', access: bitbucketRoutes.listRepositories.access },
  'all-domains': {
    path: '/limitis/alldomains',
    access: { any: [...listExternalDomains.access.any, ...listOwnDomains.access.any] },
  },
  'external-domains': {
    path: '/limitis/externaldomains/list',
    access: listExternalDomains.access,
  },
  'own-domains': { path: '/limitis/limitisdomains', access: listOwnDomains.access },
  emails: { path: '/limitis/emails', access: listEmails.access },
  monitoring: { path: '/monitoring/webs', access: monitoringRoutes.listMonitoredWebs.access },
  incidents: { path: '/monitoring/incidents', access: monitoringRoutes.listIncidents.access },
  events: { path: '/monitoring/events', access: monitoringRoutes.listStatistics.access, params: ['web'] },
  queue: { path: '/queue', access: queueRoutes.listJobs.access, params: ['jobs'] },
  batches: { path: '/batches', access: batchesRoutes.listBatches.access },
  logs: { path: '/logs', access: logsRoutes.listLogs.access, params: null },
  tags: { path: '/tags', access: tagsRoutes.editTag.access },
  users: { path: '/admin/user-management', access: usersRoutes.listUsers.access, params: ['deleted'] },
} as const satisfies Readonly<Record<string, ListWithViews>>

export type ListName = keyof typeof listsWithViews

export const listNames = Object.keys(listsWithViews) as [ListName, ...ListName[]]

/** The short address of a view. It stays the same however the view changes. */
export const viewPath = ({ list, id }: { readonly list: ListName; readonly id: number }): string =>
  `${listsWithViews[list].path}?view=${id}`
