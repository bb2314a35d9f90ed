import { can, type Holder } from '@kustos/contract/permissions'
import { type Entry, entries, type Group, isGroup, type Screen } from './screens.ts'

/** The children of a group that the user may see and that are offered in menus. */
export const offeredChildren = (group: Group, user: Holder | null): readonly Screen[] =>
  group.children.filter((child) => child.hiddenFromSidebar !== true && can(user, child.access))

/** What the sidebar lists for a user; a group without a child to offer is left out. */
export const sidebarEntries = (user: Holder | null): readonly Entry[] =>
  entries.filter(
    (entry) =>
      can(user, entry.access) &&
      (isGroup(entry) ? offeredChildren(entry, user).length > 0 : entry.hiddenFromSidebar !== true),
  )

/** What the dashboard shows a card for. */
export const dashboardEntries = (user: Holder | null): readonly Entry[] =>
  entries.filter(
    (entry) =>
      entry.hiddenFromDashboard !== true &&
      can(user, entry.access) &&
      (!isGroup(entry) || dashboardChildren(entry, user).length > 0),
  )

/** The children of a group that its card has a button for. */
export const dashboardChildren = (group: Group, user: Holder | null): readonly Screen[] =>
  group.children.filter((child) => child.hiddenFromDashboard !== true && can(user, child.access))

/**
 * Where a user goes who asks for a screen.
 * @returns null where they may see it; else the first open child of its group for the group's bare path, else home
 */
export function detour(screen: Screen, group: Group | undefined, user: Holder | null): string | null {
  const allowed = can(user, screen.access) && (group === undefined || can(user, group.access))
  if (allowed) return null
  const sibling = group?.path === screen.path ? offeredChildren(group, user)[0] : undefined
  return sibling?.path ?? '/'
}
