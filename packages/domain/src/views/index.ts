export { createView, deleteView, editView, makeViewsOfRolePrivate } from './change-view.ts'
export { editViewPreference } from './edit-preference.ts'
export { listViews, visibleViews } from './list.ts'
