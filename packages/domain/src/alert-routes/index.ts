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
export {
  type RoutedTargets,
  readNotifiedTargets,
  readStoredTargets,
  type StoredTargets,
} from './notified-targets.ts'
export { listAlertRoutes, readRouteNames, readRoutes } from './read.ts'
