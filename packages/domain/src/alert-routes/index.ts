export { assignTo } from './assign.ts'
export {
  createAlertRoute,
  deleteAlertRoute,
  editAlertRoute,
  nameWithId,
  orderAlertRoutes,
  orderRoutesInTransaction,
} from './change-route.ts'
export {
  dueAfter,
  type Reaches,
  readReach,
  routeWarnings,
  startEscalations,
  type WarnedOf,
} from './escalations.ts'
export { selectRoutes } from './matching.ts'
export { listAlertRoutes, readRouteNames, readRoutes } from './read.ts'
export { type RoutedTargets, readStoredTargets, readTold, type StoredTargets } from './told.ts'
