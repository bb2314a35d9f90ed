export { listAssignees } from './assignees.ts'
export {
  acknowledge,
  acknowledgeEntry,
  assign,
  assignEntry,
  endEntrySnooze,
  endSnooze,
  isAcknowledged,
  type LockEntries,
  snooze,
  snoozeEntry,
  unassign,
  unassignEntry,
  withdraw,
  withdrawAcknowledgement,
} from './handle.ts'
export { type AttentionQuery, listAttention } from './list.ts'
export { type Entry, lockHandlingsOf } from './lock-entries.ts'
