import { sortTags, splitTag } from '@kustos/contract/tags'
import type { AuditTransaction } from '../platform/audit.ts'
import { rewriteConditions } from '../platform/rewrite-conditions.ts'
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
