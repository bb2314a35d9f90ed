export { assignTo } from './assign.ts'
export { createAlertRoute, deleteAlertRoute, editAlertRoute, orderAlertRoutes } from './change-route.ts'
export {
  dueAfter,
  type RoutedTargets,
  readReach,
  readStoredTargets,
  readTold,
  routeWarnings,
  type StoredTargets,
  startEscalations,
  type WarnedOf,
} from './escalations.ts'
export { selectRoutes } from './matching.ts'
export { listAlertRoutes, readRouteNames, readRoutes } from './read.ts'
