export { auditPage } from './audit-page.ts'
export { auditTracking, storeAudit, type TrackingTools } from './audit-web.ts'
export { listTrackingAudits, listViolations } from './list-audits.ts'
export { mergeTracking } from './merge-tracking.ts'
