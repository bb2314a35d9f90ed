import { logRows, logsRoutes } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import { keepPreviousData } from '@tanstack/react-query'
import type { CallInput } from '../client.ts'
import { useRoute } from '../query.ts'
import { useUser } from '../session.ts'
import type { LogFilter } from './paths.ts'

/** A log whose entries are left out. */
export type Without = NonNullable<CallInput<typeof logsRoutes.listLogs>['query']>['without']

/**
 * The newest entries of the log that pass a filter, with their causers' names. It asks nothing for those who may not see
 * the log.
 */
export function useLogEntries(filter: LogFilter, limit: number, without?: Without) {
  const enabled = can(useUser(), logsRoutes.listLogs.access)
  return useRoute(
    logsRoutes.listLogs,
    { query: { ...filter, ...(without !== undefined && { without }), limit: String(limit) } },
    { enabled, select: logRows, placeholderData: keepPreviousData },
  )
}
