export { addIncidentComment, listIncidentComments } from './comments.ts'
export { findDeployment, linkDeployment } from './deployment.ts'
export {
  acknowledgeIncident,
  assignIncident,
  unassignIncident,
  withdrawIncidentAcknowledgement,
} from './handle.ts'
export { listIncidentEntries } from './list.ts'
export { writePostMortem } from './post-mortem.ts'
export { readIncident } from './read.ts'
export { readIncidentTimeline } from './timeline.ts'
