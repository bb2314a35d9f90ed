import type { LegacyCategory, LegacyWeb } from '@kustos/clients/legacy'
import type { FactName } from '@kustos/contract/inspections'
import { categories, nodes, webCategories, webFacts, webs } from '@kustos/database/tables'
import { eq, inArray, sql } from 'drizzle-orm'
import { type AuditTransaction, nextUpdatedAt } from '../../platform/audit.ts'
import { chunk } from '../../platform/chunk.ts'
import { type Found, type Kind, type Run, takeRows } from './take-rows.ts'
import { type WebRow, webRow } from './web-row.ts'

/** Ids in Kustos, by name. */
interface Places {
  readonly nodes: ReadonlyMap<string, number>
  readonly categories: ReadonlyMap<string, number>
}

/** A web that exists in both systems. */
export interface TakenWeb {
  readonly fqdn: string
  /** Its id in the former system. */
  readonly former: number
  /** Its id in Kustos. */
  readonly id: number
}

/** Imports the webs, except deleted ones. */
export async function takeWebs(
  run: Run,
  given: readonly LegacyWeb[],
  sourceCategories: readonly LegacyCategory[],
  places: Places,
): Promise<readonly TakenWeb[]> {
  const names = new Map(sourceCategories.map(({ id, name }) => [id, name]))
  const deleted = given.filter((web) => web.deleted_at !== null)
  if (deleted.length > 0) run.report.note('webs', `${deleted.length} are deleted there, and were left.`)
  const rows = given.flatMap((web) => {
    if (web.deleted_at !== null) return []
    return webRow(run, web, ({ id, name }) => name ?? (id === null ? null : (names.get(id) ?? null))) ?? []
  })
  const ids = await takeRows(run, webKind(places), rows)
  return rows.flatMap(({ id: former, fqdn, fqdn_ascii }) => {
    const id = ids.get(fqdn_ascii)
    return former === null || id === undefined ? [] : [{ fqdn, former, id }]
  })
}

type WebThere = Found & {
  readonly row: typeof webs.$inferSelect
  readonly node: string | null
  readonly categories: readonly string[]
  /** What Kustos has found out itself. */
  readonly seen: ReadonlySet<string>
}

/** The columns that Kustos finds out itself with each fact, after which the former system's values are ignored. */
const factColumns: Readonly<Partial<Record<FactName, readonly (keyof WebRow)[]>>> = {
  plesk: ['status', 'sysuser', 'disk_usage', 'sites', 'aliases'],
  dns: ['domain_status'],
  certificate: ['cert_ca', 'cert_expiration'],
  framework: ['framework_name', 'framework_version'],
  tracking: ['tracking_data'],
}

/** Probes update it every minute, so the former system's value is outdated. */
const probed = 'http_status_code'

const webKind = ({ nodes: nodeIds, categories: categoryIds }: Places): Kind<WebRow, WebThere> => ({
  part: 'webs',
  table: webs,
  subject: 'web',
  key: ({ fqdn_ascii }) => fqdn_ascii,
  name: ({ fqdn }) => fqdn,
  find: (tx, rows) =>
    findWebs(
      tx,
      rows.map(({ fqdn_ascii }) => fqdn_ascii),
    ),
  columns: ({ node, categories: _, ...row }, now) => ({
    ...row,
    node_id: node === null ? null : (nodeIds.get(node) ?? null),
    monitoring_web_active: row.monitoring_web_active ?? true,
    created_at: row.created_at ?? now,
    updated_at: row.updated_at ?? row.created_at ?? now,
  }),
  importedValues: (row, there) => importedValues(row, there?.seen ?? null),
  existingValues: ({ row, node, categories: held }) => ({ ...row, node, categories: held }),
  link: ({ db }, added) => linkCategories(db, added, categoryIds),
  async update(tx, { id, row: old }, row, { node, categories: changed, ...values }) {
    const written = {
      ...values,
      ...(node !== undefined && { node_id: nodeIds.get(String(node)) ?? null }),
      ...(values.fqdn !== undefined && { fqdn_ascii: row.fqdn_ascii }),
      updated_at: nextUpdatedAt(old, tx),
    }
    await tx.db.update(webs).set(written).where(eq(webs.id, id))
    if (changed === undefined) return
    await tx.db.delete(webCategories).where(eq(webCategories.web_id, id))
    await linkCategories(tx.db, [{ id, row }], categoryIds)
  },
  unlogged: ['tracking_data'],
})

function importedValues(row: WebRow, seen: ReadonlySet<string> | null): Readonly<Record<string, unknown>> {
  const { id: _, fqdn_ascii: __, created_at: ___, updated_at: ____, ...values } = row
  const left = new Set<string>(
    seen === null
      ? []
      : [probed, ...Object.entries(factColumns).flatMap(([fact, fields]) => (seen.has(fact) ? fields : []))],
  )
  // A missing value leads to the default.
  if (row.monitoring_web_active === null) left.add('monitoring_web_active')
  return Object.fromEntries(Object.entries(values).filter(([field]) => !left.has(field)))
}

/** The webs of these names; deleted ones only if there is no other. */
async function findWebs(
  { db }: AuditTransaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, WebThere>> {
  const rows = await db
    .select({ row: webs, node: nodes.name })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(inArray(webs.fqdn_ascii, [...names]))
    .orderBy(sql`${webs.deleted_at} nulls last`)
  const ids = rows.map(({ row }) => row.id)
  const held = new Map<number, string[]>()
  const seen = new Map<number, Set<string>>()
  if (ids.length > 0) {
    const links = await db
      .select({ web: webCategories.web_id, name: categories.name })
      .from(webCategories)
      .innerJoin(categories, eq(categories.id, webCategories.category_id))
      .where(inArray(webCategories.web_id, ids))
    for (const { web, name } of links) held.set(web, [...(held.get(web) ?? []), name])
    const facts = await db.select().from(webFacts).where(inArray(webFacts.web_id, ids))
    for (const { web_id, fact, seen_at } of facts) {
      if (seen_at !== null) seen.set(web_id, (seen.get(web_id) ?? new Set()).add(fact))
    }
  }
  // Of equal names the last one wins, which is not deleted.
  return new Map(
    rows.map(({ row, node }): [string, WebThere] => [
      row.fqdn_ascii,
      {
        id: row.id,
        isGone: row.deleted_at !== null,
        row,
        node,
        categories: [...(held.get(row.id) ?? [])].sort(),
        seen: seen.get(row.id) ?? new Set(),
      },
    ]),
  )
}

async function linkCategories(
  db: AuditTransaction['db'],
  added: readonly { readonly id: number; readonly row: WebRow }[],
  categoryIds: ReadonlyMap<string, number>,
): Promise<void> {
  const links = added.flatMap(({ id, row }) =>
    row.categories.flatMap((name) => {
      const category = categoryIds.get(name)
      return category === undefined ? [] : [{ web_id: id, category_id: category }]
    }),
  )
  for (const portion of chunk(links)) await db.insert(webCategories).values(portion)
}
