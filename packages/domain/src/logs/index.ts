export { type Denials, openDenials } from './denials.ts'
export { listLogs } from './list.ts'
