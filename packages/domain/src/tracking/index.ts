export { auditTracking, type TrackingTools } from './audit.ts'
export { mergeTracking } from './merge.ts'
export { listTrackingAudits } from './read.ts'
export { lookAt } from './static-look.ts'
