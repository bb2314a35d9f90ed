export { addIncidentComment, listIncidentComments } from './comments.ts'
export {
  findDeployment,
  findDeploymentInTransaction,
  linkDeployment,
  linkDeploymentInTransaction,
} from './deployment.ts'
export {
  acknowledgeIncident,
  acknowledgeIncidents,
  assignIncident,
  endIncidentSnooze,
  snoozeIncident,
  unassignIncident,
  undoAcknowledgements,
  withdrawIncidentAcknowledgement,
} from './handle.ts'
export { listIncidentEntries } from './list.ts'
export { lockReport, writePostMortem, writePostMortemInTransaction } from './post-mortem.ts'
export { readIncident } from './read.ts'
export { readIncidentTimeline } from './timeline.ts'
