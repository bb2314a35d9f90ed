import { externalDomainsRoutes } from '../external-domains/index.ts'
import type { Access } from '../permissions.ts'
import { usersRoutes } from '../users/index.ts'
import { websRoutes } from '../webs/index.ts'
import type { LogEntry } from './log.ts'

const { editWeb, deleteWeb, restoreWeb } = websRoutes

/** The routes that take a change back, by its subject and its description. */
const reverting: Readonly<Record<string, Readonly<Record<string, { readonly access: Access }>>>> = {
  web: { updated: editWeb, deleted: restoreWeb, restored: deleteWeb },
  external_domain: { updated: externalDomainsRoutes.editExternalDomain },
  role: { updated: usersRoutes.editRole },
}

/** Who may revert the change of a log entry: those who may make the opposite change. Null if it cannot be reverted. */
export const revertAccessOf = ({
  subject_type: type,
  description,
}: Pick<LogEntry, 'subject_type' | 'description'>): Access | null =>
  reverting[type ?? '']?.[description]?.access ?? null
