import { customersRoutes } from '@kustos/contract/customers'
import { nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import type { Tag } from '@kustos/contract/tags'
import { websRoutes } from '@kustos/contract/webs'
import { checks, tags } from '@kustos/database/tables'
import { and, isNotNull, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { countTagViews } from './conditions.ts'
import { asRule } from './lock-tags.ts'
import { countCarriers } from './rewrite.ts'

/** All tags by name. @param withUsage also counts what carries each, as far as the user may see it */
export async function listTags({ db, actor }: Context, withUsage: boolean): Promise<Tag[]> {
  const rows = await db.select().from(tags).orderBy(tags.name)
  if (!withUsage) return rows.map((row) => presentTag(row, null))
  const [checked, ofViews, ofWebs, ofCustomers, ofNodes] = await Promise.all([
    db
      .select({ tag: checks.tag_id })
      .from(checks)
      .where(and(isNotNull(checks.tag_id), sql`${checks.settings} <> '{}'`)),
    countTagViews(db),
    can(actor, websRoutes.listWebs.access) ? countCarriers(db, 'webs') : null,
    can(actor, customersRoutes.listCustomers.access) ? countCarriers(db, 'customers') : null,
    can(actor, nodesRoutes.listNodes.access) ? countCarriers(db, 'nodes') : null,
  ])
  const numberOf = (counts: ReadonlyMap<string, number> | null, name: string) =>
    counts === null ? null : (counts.get(name) ?? 0)
  return rows.map((row) =>
    presentTag(row, {
      webs: numberOf(ofWebs, row.name),
      customers: numberOf(ofCustomers, row.name),
      nodes: numberOf(ofNodes, row.name),
      views: ofViews.get(row.name) ?? 0,
      check: checked.some(({ tag }) => tag === row.id),
    }),
  )
}

export const presentTag = (row: typeof tags.$inferSelect, usage: Tag['usage']): Tag => ({
  ...serializeDates(row),
  type: asRule(row).type,
  // Only parsed input is written there.
  color: row.color as Tag['color'],
  usage,
})
