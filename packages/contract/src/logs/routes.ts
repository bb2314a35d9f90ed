import { route } from '../route.ts'
import { logLimit, logList, logQuery } from './log.ts'

export const logsRoutes = {
  listLogs: route('GET', '/api/logs', {
    summary: `Audit log entries, newest first. \`limit\` defaults to ${logLimit.default} (at most ${logLimit.max}); \`before\` (an id) returns older ones. \`causer\`, \`log\`, \`subject_type\`, \`subject_id\`, \`from\` and \`to\` filter them, \`without\` excludes a log, \`id\` returns one entry.`,
    access: { any: ['view logs'] },
    query: logQuery,
    response: logList,
  }),
} as const
