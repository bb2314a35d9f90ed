import { route } from '../route.ts'
import { logList } from './log.ts'
import { logLimit, logQuery } from './query.ts'

const access = { any: ['view logs'] } as const

export const logsRoutes = {
  listLogs: route('GET', '/api/logs', {
    summary: `Audit log entries, newest first. \`limit\` defaults to ${logLimit.default} (at most ${logLimit.max}); \`before\` (an id) returns older ones. \`search\` looks for words; \`causer\`, \`log\`, \`action\`, \`result\`, \`subject_type\`, \`subject_id\`, \`customer\`, \`field\`, \`within\`, \`from\` and \`to\` filter, \`without\` excludes a log or \`sign-ins\`, \`id\` returns one entry.`,
    access,
    query: logQuery,
    response: logList,
  }),
  revertChange: route('POST', '/api/logs/:id/revert', {
    summary:
      'Reverts the change of an entry: a new change gives its fields their old values. Needs the permission for that change; what users have chosen for themselves only they revert. 409 if one of the fields has changed since, or if the entry is no change that can be reverted.',
    access,
    confirmation: 'conditional',
    errors: [409],
  }),
} as const
