export { type Denials, openDenials } from './denials.ts'
export { listLogs } from './list.ts'
export { openRefusedSignIns, type RefusedSignIns } from './refused-sign-ins.ts'
