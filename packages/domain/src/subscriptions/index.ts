export { keptDays } from './apply-evaluation.ts'
export { editViewNotifications } from './edit-notifications.ts'
export { type NotificationReport, notifySubscribers } from './notify-subscribers.ts'
export { scopesOf } from './rows.ts'
