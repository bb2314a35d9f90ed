export { createAlertChannel, deleteAlertChannel, editAlertChannel } from './change-channel.ts'
export { listAlertChannels } from './list.ts'
