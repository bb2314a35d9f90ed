import { externalDomainsRoutes } from '../external-domains/index.ts'
import type { Route } from '../route.ts'
import { usersRoutes } from '../users/index.ts'
import { websRoutes } from '../webs/index.ts'
import type { LogEntry } from './log.ts'

const { editWeb, deleteWeb, restoreWeb } = websRoutes

/** What a revert needs, too. The browser has no `confirmation`. */
type OppositeRoute = Pick<Route, 'access' | 'confirmation'>

/** The routes that take a change back, by its subject and its description. */
const reverting: Readonly<Record<string, Readonly<Record<string, OppositeRoute>>>> = {
  web: { updated: editWeb, deleted: restoreWeb, restored: deleteWeb },
  external_domain: { updated: externalDomainsRoutes.editExternalDomain },
  role: { updated: usersRoutes.editRole },
}

/** The route of the opposite change, whose rights a revert of a log entry needs. Null if it cannot be reverted. */
export const oppositeRouteOf = ({
  subject_type: type,
  description,
}: Pick<LogEntry, 'subject_type' | 'description'>): OppositeRoute | null =>
  reverting[type ?? '']?.[description] ?? null
