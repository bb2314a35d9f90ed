import { route } from '../route.ts'
import { logLimit, logList, logQuery } from './log.ts'

export const logsRoutes = {
  listLogs: route({
    method: 'GET',
    path: '/api/logs',
    summary: `The audit log, newest first: ${logLimit.usual} entries unless limit= says otherwise (${logLimit.most} at most), before= asks for older ones; causer=, log=, subject_type= and subject_id=, from= and to= cut it, without= leaves a log out, id= asks for one entry`,
    access: { any: ['view logs'] },
    query: logQuery,
    status: 200,
    answer: logList,
  }),
} as const
