export { listLogs } from './list.ts'
