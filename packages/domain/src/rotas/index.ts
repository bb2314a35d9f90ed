export { createRota, deleteRota, editRota } from './change-rota.ts'
export { noticeShifts } from './notice-shifts.ts'
export { addOverride, deleteOverride } from './overrides.ts'
export { listRotas, readOnCall } from './read.ts'
