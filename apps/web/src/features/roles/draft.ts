import { type Permission, permissions } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'

/** The unsaved changes of a role: permission to whether it is granted. */
export type RoleDraft = Readonly<Partial<Record<Permission, boolean>>>

/** Drafts by the id of their role. */
export type RoleDrafts = Readonly<Record<string, RoleDraft>>

const none: RoleDraft = {}
export const getRoleDraft = (drafts: RoleDrafts, role: Role): RoleDraft => drafts[role.id] ?? none

/** The permissions in which a draft differs from the current role. Someone else may have made the same change. */
export const findChanges = (role: Role, draft: RoleDraft): readonly Permission[] =>
  permissions.filter((name) => draft[name] !== undefined && draft[name] !== role.permissions.includes(name))

/** The permissions of the role once its draft is saved. */
export const applyDraft = (role: Role, draft: RoleDraft): readonly Permission[] =>
  permissions.filter((name) => draft[name] ?? role.permissions.includes(name))

export const toggleDraft = (drafts: RoleDrafts, role: Role, name: Permission): RoleDrafts => {
  const draft = getRoleDraft(drafts, role)
  const isHeld = applyDraft(role, draft).includes(name)
  return { ...drafts, [role.id]: { ...draft, [name]: !isHeld } }
}

export function removeDraft(drafts: RoleDrafts, role: Role): RoleDrafts {
  const { [role.id]: _, ...others } = drafts
  return others
}
