import { can, type PermissionHolder } from '@kustos/contract/permissions'
import { type Entry, entries, type Group, isGroup, type Screen } from './screens.ts'

const isOffered = (screen: Screen, user: PermissionHolder | null) =>
  screen.of === undefined && screen.isUnlisted !== true && can(user, screen.access)

/** The screens of a group that sidebar, dashboard and palette show. */
export const offeredChildren = (group: Group, user: PermissionHolder | null): readonly Screen[] =>
  group.children.filter((child) => isOffered(child, user))

export const sidebarEntries = (user: PermissionHolder | null): readonly Entry[] =>
  entries.filter((entry) =>
    isGroup(entry)
      ? can(user, entry.access) && offeredChildren(entry, user).length > 0
      : isOffered(entry, user),
  )

/** Those of the sidebar without the dashboard itself. */
export const dashboardEntries = (user: PermissionHolder | null): readonly Entry[] =>
  sidebarEntries(user).filter(({ path }) => path !== '/')

/**
 * Where to send a user who asks for a screen.
 * @returns null if they may see it; the first visible child for a group's bare path; else home
 */
export function redirectFor(
  screen: Screen,
  group: Group | undefined,
  user: PermissionHolder | null,
): string | null {
  const allowed = can(user, screen.access) && (group === undefined || can(user, group.access))
  if (allowed) return null
  const sibling = group?.path === screen.path ? offeredChildren(group, user)[0] : undefined
  return sibling?.path ?? '/'
}
