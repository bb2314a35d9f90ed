export { createUser, newUser } from './create-user.ts'
export { findCurrentUser } from './current-user.ts'
export { editOwnSettings } from './own-settings.ts'
