export { findCurrentUser } from './current-user.ts'
export { editOwnSettings } from './own-settings.ts'
