import { file, route } from '../route.ts'
import { logCount, logCountLimit, logFilter } from './query.ts'
import { logsRoutes } from './routes.ts'

const { access } = logsRoutes.listLogs

/** Only the screen of the log needs them. They take its filters. */
export const logSearchRoutes = {
  countLogs: route('GET', '/api/logs/count', {
    summary: `How many entries match the filters of the log, exact up to ${logCountLimit}, and how many sign-ins \`without=sign-ins\` excludes.`,
    access,
    query: logFilter,
    response: logCount,
  }),
  exportLogs: route('GET', '/api/logs/export', {
    summary: 'The entries that match the filters of the log as a CSV file, newest first.',
    access,
    query: logFilter,
    response: file,
    fileType: 'text/csv',
  }),
} as const
