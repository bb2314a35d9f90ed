export { listAssignees } from './assignees.ts'
export {
  acknowledgeEntry,
  assignEntry,
  endSnooze,
  snoozeEntry,
  unassignEntry,
  withdrawAcknowledgement,
} from './handle.ts'
export { type AttentionQuery, listAttention } from './list.ts'
