import { can, type Holder } from '@kustos/contract/permissions'
import { type Entry, entries, type Group, isGroup, type Screen } from './screens.ts'

export const offeredChildren = (group: Group, user: Holder | null): readonly Screen[] =>
  group.children.filter((child) => child.hiddenFromSidebar !== true && can(user, child.access))

/** Groups without a visible child are left out. */
export const sidebarEntries = (user: Holder | null): readonly Entry[] =>
  entries.filter(
    (entry) =>
      can(user, entry.access) &&
      (isGroup(entry) ? offeredChildren(entry, user).length > 0 : entry.hiddenFromSidebar !== true),
  )

export const dashboardEntries = (user: Holder | null): readonly Entry[] =>
  entries.filter(
    (entry) =>
      entry.hiddenFromDashboard !== true &&
      can(user, entry.access) &&
      (!isGroup(entry) || dashboardChildren(entry, user).length > 0),
  )

export const dashboardChildren = (group: Group, user: Holder | null): readonly Screen[] =>
  group.children.filter((child) => child.hiddenFromDashboard !== true && can(user, child.access))

/**
 * Where to send a user who asks for a screen.
 * @returns null if they may see it; the first visible child for a group's bare path; else home
 */
export function redirectFor(screen: Screen, group: Group | undefined, user: Holder | null): string | null {
  const allowed = can(user, screen.access) && (group === undefined || can(user, group.access))
  if (allowed) return null
  const sibling = group?.path === screen.path ? offeredChildren(group, user)[0] : undefined
  return sibling?.path ?? '/'
}
