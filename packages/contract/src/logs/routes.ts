import { file, route } from '../route.ts'
import { logList } from './log.ts'
import { logCount, logCountLimit, logFilter, logLimit, logQuery } from './query.ts'

const access = { any: ['view logs'] } as const
const filters =
  '`search` looks for words; `causer`, `log`, `action`, `result`, `subject_type`, `subject_id`, `customer`, `field`, `within`, `from` and `to` filter, `without` excludes a log or `sign-ins`'

export const logsRoutes = {
  listLogs: route('GET', '/api/logs', {
    summary: `Audit log entries, newest first. \`limit\` defaults to ${logLimit.default} (at most ${logLimit.max}); \`before\` (an id) returns older ones. ${filters}, \`id\` returns one entry.`,
    access,
    query: logQuery,
    response: logList,
  }),
  countLogs: route('GET', '/api/logs/count', {
    summary: `How many entries there are, exact up to ${logCountLimit}. ${filters}.`,
    access,
    query: logFilter,
    response: logCount,
  }),
  exportLogs: route('GET', '/api/logs/export', {
    summary: `The entries as a CSV file, newest first. ${filters}.`,
    access,
    query: logFilter,
    response: file,
    fileType: 'text/csv',
  }),
  revertChange: route('POST', '/api/logs/:id/revert', {
    summary:
      'Reverts the change of an entry: a new change gives its fields their old values. Needs the permission for that change. 409 if one of the fields has changed since, or if the entry is no change that can be reverted.',
    access,
    confirmation: 'conditional',
    errors: [409],
  }),
} as const
