import { sortTags, splitTag } from '@kustos/contract/tags'
import type { Transaction } from '@kustos/database/client'
import { alertRoutes, maintenanceScopes, maintenanceWindows } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { AuditTransaction } from '../platform/audit.ts'
import { isLiveWindow } from '../platform/live-windows.ts'
import { rewriteConditions } from '../platform/rewrite-conditions.ts'
import { namesTag } from './names-tag.ts'

/** What names a tag as a condition: the name of an alert route, or the reason of a maintenance window. */
type TagUse = { readonly route: string } | { readonly window: string }

/** The first alert route or maintenance window that matches by a tag; null if none does. Past windows keep its name. */
export async function findTagUse(db: Transaction, name: string, now: Date): Promise<TagUse | null> {
  const [route] = await db
    .select({ route: alertRoutes.name })
    .from(alertRoutes)
    .where(namesTag(alertRoutes.tags, name))
    .orderBy(alertRoutes.position)
    .limit(1)
  if (route !== undefined) return route
  const [window] = await db
    .select({ window: maintenanceWindows.reason })
    .from(maintenanceWindows)
    .innerJoin(maintenanceScopes, eq(maintenanceScopes.id, maintenanceWindows.scope_id))
    .where(and(namesTag(maintenanceScopes.tags, name), isLiveWindow(now)))
    .orderBy(maintenanceWindows.id)
    .limit(1)
  return window ?? null
}

/**
 * Replaces a tag in what alert routes match and maintenance windows cover. Every value that they name stays one, also beside those
 * of another tag: what they match is not narrowed.
 * @param change names the change in the entries
 */
export const rewriteTagConditions = (
  tx: AuditTransaction,
  name: string,
  replace: (value: string | null) => string,
  change: string,
): Promise<void> =>
  rewriteConditions(
    tx,
    'tags',
    (tags) => namesTag(tags, name),
    (tags) => replaceCondition(tags, name, replace),
    { tag: change },
  )

function replaceCondition(
  tags: readonly string[],
  name: string,
  replace: (value: string | null) => string,
): string[] {
  const replaced = tags.map((tag) => {
    const carried = splitTag(tag)
    return carried.name === name ? replace(carried.value) : tag
  })
  return sortTags([...new Set(replaced)])
}
