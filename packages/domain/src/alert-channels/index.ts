export { createAlertChannel, deleteAlertChannel, editAlertChannel } from './change-channel.ts'
export { hasOpened, isFormer } from './former-channel.ts'
export { testChannelJob } from './jobs.ts'
export { listAlertChannels, listUnreadableChannels } from './list.ts'
export {
  type OpenChannel,
  openStoredChannels,
  type StoredChannel,
  type StoredChannels,
} from './open-channel.ts'
export { purgeChannelTests, testAlertChannel } from './request-test.ts'
export { findRouteUsing } from './route-using.ts'
export { findChannel, readOtherRefusal, recordFailure, recordSuccess } from './state.ts'
export { syncConfiguredChannels } from './sync-configured.ts'
