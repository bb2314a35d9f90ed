export { createWeb, deleteWeb, editWeb, restoreWeb } from './change-web.ts'
export { type ExportKind, type Exports, openExports } from './export.ts'
export { listCategories, mayList, readWeb, readWebList, type Which, webListRevision } from './list.ts'
export { type RefreshTools, refreshWeb } from './refresh/refresh-web.ts'
