import { route } from '../route.ts'
import { logLimit, logList, logQuery } from './log.ts'

export const logsRoutes = {
  listLogs: route('GET', '/api/logs', {
    summary: `Audit log entries, newest first. \`limit\` defaults to ${logLimit.default} (at most ${logLimit.max}); \`before\` (an id) returns older ones. \`causer\`, \`log\`, \`subject_type\`, \`subject_id\`, \`from\` and \`to\` filter them, \`without\` excludes a log, \`id\` returns one entry.`,
    access: { any: ['view logs'] },
    query: logQuery,
    response: logList,
  }),
  revertChange: route('POST', '/api/logs/:id/revert', {
    summary:
      'Reverts the change of an entry: a new change gives its fields their old values. Needs the permission for that change. 409 if one of the fields has changed since, or if the entry is no change that can be reverted.',
    access: { any: ['view logs'] },
    confirmation: 'conditional',
    errors: [409],
  }),
} as const
