export {
  applyEdits,
  createWeb,
  deleteWeb,
  deleteWebInTransaction,
  editWeb,
  lockCategories,
  rejectTakenFqdn,
  restoreWeb,
  restoreWebInTransaction,
  revertWeb,
} from './change-web.ts'
export { type ExportKind, type Exports, openExports } from './export.ts'
export type { WebListForm, WebScope } from './list.ts'
export { assertCanList, listCategories, readWeb, readWebList, readWebRows, webListRevision } from './list.ts'
export { readLoggedWebs } from './logged-webs.ts'
export { type Framework, type KnownFramework, mergeFramework } from './refresh/framework.ts'
export { type RefreshTools, refreshWeb } from './refresh/refresh-web.ts'
export { readWebSummaries } from './summaries.ts'
