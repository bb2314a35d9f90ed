import { type Permission, permissions } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'

/** What was ticked or unticked of a role and is not saved, by permission. */
export type RoleDraft = Readonly<Partial<Record<Permission, boolean>>>

/** Such drafts by the id of their role. */
export type RoleDrafts = Readonly<Record<string, RoleDraft>>

const none: RoleDraft = {}
export const draftOfRole = (drafts: RoleDrafts, role: Role): RoleDraft => drafts[role.id] ?? none

/** Where a draft differs from the role as it is now: somebody may have made the same change meanwhile. */
export const changesOf = (role: Role, draft: RoleDraft): readonly Permission[] =>
  permissions.filter((name) => draft[name] !== undefined && draft[name] !== role.permissions.includes(name))

/** What the role holds once its draft is saved: what nobody touched here stays as it is there. */
export const permissionsOf = (role: Role, draft: RoleDraft): readonly Permission[] =>
  permissions.filter((name) => draft[name] ?? role.permissions.includes(name))

export const toggled = (drafts: RoleDrafts, role: Role, name: Permission): RoleDrafts => {
  const draft = draftOfRole(drafts, role)
  const isHeld = permissionsOf(role, draft).includes(name)
  return { ...drafts, [role.id]: { ...draft, [name]: !isHeld } }
}

export function without(drafts: RoleDrafts, role: Role): RoleDrafts {
  const { [role.id]: _, ...others } = drafts
  return others
}
