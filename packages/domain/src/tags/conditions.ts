import { readConditions, replaceConditions } from '@kustos/contract/grid'
import { sortTags, splitTag } from '@kustos/contract/tags'
import type { Transaction } from '@kustos/database/client'
import { views } from '@kustos/database/tables'
import { like } from 'drizzle-orm'
import type { AuditTransaction } from '../platform/audit.ts'
import { rewriteConditions } from '../platform/rewrite-conditions.ts'
import { rewriteViews } from '../platform/rewrite-views.ts'
import { namesTag } from './names-tag.ts'

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

/** Of all lists whose rows carry tags. */
const column = { key: 'tags', kind: 'tags' } as const

/** How many saved views filter by each tag. */
export async function countTagViews(db: Transaction): Promise<ReadonlyMap<string, number>> {
  const rows = await db.select({ query: views.query }).from(views).where(like(views.query, '%f.tags=%'))
  const counts = new Map<string, number>()
  for (const { query } of rows) {
    const conditions = readConditions([...new URLSearchParams(query)], column)
    const names = new Set(conditions.flatMap(({ values }) => values.map((tag) => splitTag(tag).name)))
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** The same for the filters of saved views. */
export const rewriteTagViews = (
  tx: AuditTransaction,
  name: string,
  replace: (value: string | null) => string,
  change: string,
): Promise<void> =>
  rewriteViews(
    tx,
    ['f.tags'],
    (_, query) =>
      replaceConditions(query, column, (condition) => {
        const values = replaceCondition(condition.values, name, replace)
        return String(values) === String(sortTags(condition.values)) ? condition : { ...condition, values }
      }),
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
