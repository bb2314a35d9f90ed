export { auditTracking, type TrackingTools } from './audit.ts'
export { listTrackingAudits } from './read.ts'
