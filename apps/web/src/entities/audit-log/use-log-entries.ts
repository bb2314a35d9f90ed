import { logRows, logsRoutes } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import { keepPreviousData } from '@tanstack/react-query'
import type { CallInput } from '../../platform/client.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import type { LogFilter } from './paths.ts'

export type Without = NonNullable<CallInput<typeof logsRoutes.listLogs>['query']>['without']

/** The newest matching log entries; without permission no request is sent. */
export function useLogEntries(filter: LogFilter, limit: number, without?: Without) {
  const enabled = can(useUser(), logsRoutes.listLogs.access)
  return useRoute(
    logsRoutes.listLogs,
    { query: { ...filter, ...(without !== undefined && { without }), limit: String(limit) } },
    { enabled, select: logRows, placeholderData: keepPreviousData },
  )
}
