import { batchesRoutes } from '@kustos/contract/batches'
import { customersRoutes } from '@kustos/contract/customers'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import type { LogEntry, logsRoutes } from '@kustos/contract/logs'
import { can, type PermissionHolder } from '@kustos/contract/permissions'
import type { CallInput, Route } from '@kustos/contract/route'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import { customerPath } from '../customer/paths.ts'

export type LogQuery = NonNullable<CallInput<typeof logsRoutes.listLogs>['query']>

/** Filters of the log, named as in the log screen's URL. */
export type LogFilter = Omit<LogQuery, 'limit' | 'before' | 'id' | 'without'>

/** Path of the log screen with these filters. */
export function logPath(filter: LogFilter): string {
  const query = new URLSearchParams(
    Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  return query.size === 0 ? '/logs' : `/logs?${query}`
}

interface SubjectPage {
  readonly route: Route
  /** @returns null without the name that the path has */
  readonly path: (id: number, name: string | null) => string | null
}

const pages: Readonly<Record<string, SubjectPage>> = {
  web: { route: websRoutes.readWeb, path: (id) => `/hosting/show/${id}` },
  user: { route: usersRoutes.readUser, path: (id) => `/admin/user-management/edit/${id}` },
  role: { route: usersRoutes.listRoles, path: () => '/admin/roles' },
  deployment: { route: deploymentRoutes.readDeployment, path: (id) => `/queue/${id}` },
  external_domain: {
    route: externalDomainsRoutes.listExternalDomains,
    path: (id) => `/limitis/externaldomains/list?f.id=${encodeURIComponent(`=:${id}`)}`,
  },
  batch: { route: batchesRoutes.readBatch, path: (id) => `/batches/${id}` },
  customer: {
    route: customersRoutes.readCustomer,
    path: (_, code) => (code === null ? null : customerPath(code)),
  },
}

/** Path of the page about an entry's subject; null if there is none or the user may not see it. */
export function subjectPath(
  user: PermissionHolder | null,
  {
    subject_type: type,
    subject_id: id,
    subject_name: name,
  }: Pick<LogEntry, 'subject_type' | 'subject_id' | 'subject_name'>,
): string | null {
  const page = type === null ? undefined : pages[type]
  if (page === undefined || id === null) return null
  return can(user, page.route.access) ? page.path(id, name) : null
}
