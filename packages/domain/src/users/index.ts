export { createRole, deleteRole, editRole, foldRoleName } from './change-role.ts'
export {
  createUser,
  deleteUser,
  editUser,
  endUserSessions,
  findRolesByName,
  restoreUser,
  setPassword,
} from './change-user.ts'
export { findUserWithPermissions, findUserWithPermissionsInTransaction } from './current-user.ts'
export { cancelEmailChange, confirmEmailChange, readEmailChange } from './email-change.ts'
export { listPermittedUsers } from './permitted.ts'
export { listRoles, listUsers, readUser } from './read.ts'
export {
  assertConfirmedSession,
  findSignedInUser,
  lockPermissionsOf,
  lockSession,
  readSessionUser,
} from './session-user.ts'
export { logged as loggedUser } from './user-row.ts'
