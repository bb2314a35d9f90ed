export { createRole, deleteRole, editRole } from './change-role.ts'
export { createUser, deleteUser, editUser, restoreUser, rolesNamed, setPassword } from './change-user.ts'
export { findUserWithPermissions } from './current-user.ts'
export { listRoles, listUsers, readUser } from './read.ts'
