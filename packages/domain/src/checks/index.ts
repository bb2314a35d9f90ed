export { applyCheckEdits, editCheck } from './change-check.ts'
export { defaultWebCheck, loadChecks, type WebCheck } from './load.ts'
export { readCheck } from './read.ts'
export { changesCheck, readOwnChecks } from './stored.ts'
