export { auditPage } from './audit-page.ts'
export { auditTracking, type TrackingTools } from './audit-web.ts'
export { mergeTracking } from './merge.ts'
export { listTrackingAudits } from './read.ts'
