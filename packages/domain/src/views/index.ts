export {
  createView,
  deleteView,
  editView,
  listWidths,
  loggedView,
  makeViewsOfRolePrivate,
} from './change-view.ts'
export { editViewPreference } from './edit-preference.ts'
export { listViews, lockView, maySeeView, readView, visibleViews } from './list.ts'
