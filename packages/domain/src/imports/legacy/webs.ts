import type { LegacyCategory, LegacyName, LegacyWeb } from '@kustos/clients/legacy'
import type { FactName } from '@kustos/contract/inspections'
import { asciiFqdn, newWeb } from '@kustos/contract/webs'
import { nodes, webCategories, webFacts, webs } from '@kustos/database/tables'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Day, dayOf } from '../../monitoring/index.ts'
import { type AuditTransaction, nextUpdatedAt } from '../../platform/audit.ts'
import { withMergedCodes } from '../../platform/merged-codes.ts'
import { reconsiderWebs } from '../../tracking-contracts/index.ts'
import { linkCategories, readCategoryNames } from '../web-state.ts'
import { formatIssues } from './format-issues.ts'
import { type ExistingRow, importRows, type RowImport, type Run } from './import-rows.ts'
import { readTracking } from './tracking.ts'

/** Ids in Kustos, by name. */
interface PlaceIds {
  readonly nodes: ReadonlyMap<string, number>
  readonly categories: ReadonlyMap<string, number>
}

/** A web that exists in both systems. */
export interface ImportedWeb {
  readonly fqdn: string
  /** Its id in the former system. */
  readonly former: number
  /** Its id in Kustos. */
  readonly id: number
  /** When it was added to the former system; null if unknown. */
  readonly createdOn: Day | null
}

/** Imports the webs, except deleted ones. */
export async function importLegacyWebs(
  run: Run,
  sourceRows: readonly LegacyWeb[],
  sourceCategories: readonly LegacyCategory[],
  places: PlaceIds,
): Promise<readonly ImportedWeb[]> {
  const names = new Map(sourceCategories.map(({ id, name }) => [id, name]))
  const deleted = sourceRows.filter((web) => web.deleted_at !== null)
  if (deleted.length > 0) run.report.note('webs', `${deleted.length} deleted webs were not imported.`)
  const rows = sourceRows.flatMap((web) => {
    if (web.deleted_at !== null) return []
    return readWeb(run, web, ({ id, name }) => name ?? (id === null ? null : (names.get(id) ?? null))) ?? []
  })
  const ids = await importRows(run, webImport(run, places), rows)
  const first = new Map<string, WebRow>()
  for (const row of rows) if (!first.has(row.fqdn_ascii)) first.set(row.fqdn_ascii, row)
  // Others of the same name were not imported.
  return [...first.values()].flatMap(({ id: former, fqdn, fqdn_ascii, created_at }) => {
    const id = ids.get(fqdn_ascii)
    const createdOn = created_at && dayOf(created_at)
    return former === null || id === undefined ? [] : [{ fqdn, former, id, createdOn }]
  })
}

/**
 * Leaves a system user to the first web of a node that has it, here or in the former system. A web that keeps its own does not
 * move to a node where another web has it.
 */
async function withoutTakenUsers(
  { overwrite, report }: Run,
  { db }: AuditTransaction,
  rows: readonly WebRow[],
): Promise<readonly WebRow[]> {
  const existing = await db
    .select({
      fqdn: webs.fqdn,
      fqdn_ascii: webs.fqdn_ascii,
      node: nodes.name,
      sysuser: webs.sysuser,
      seenAt: webFacts.seen_at,
    })
    .from(webs)
    .innerJoin(nodes, eq(nodes.id, webs.node_id))
    .leftJoin(webFacts, and(eq(webFacts.web_id, webs.id), eq(webFacts.fact, 'plesk')))
    .where(and(isNull(webs.deleted_at), isNotNull(webs.sysuser)))
  const userKey = ({ node, sysuser }: Pick<WebRow, 'node' | 'sysuser'>) => JSON.stringify([node, sysuser])
  const owners = new Map<string, Pick<WebRow, 'fqdn' | 'fqdn_ascii'>>(
    existing.map((web) => [userKey(web), web]),
  )
  const own = new Map(existing.map((web) => [web.fqdn_ascii, web]))
  /** A web without the system user that another one has. */
  const claimed = (row: WebRow) => {
    if (row.node === null || row.sysuser === null) return row
    const owner = owners.get(userKey(row)) ?? row
    owners.set(userKey(row), owner)
    if (owner.fqdn_ascii === row.fqdn_ascii) return row
    report.note(
      'webs',
      `${row.fqdn}: imported without the system user ${row.sysuser}, which ${owner.fqdn} has on ${row.node}.`,
    )
    return { ...row, sysuser: null }
  }
  /** A web on the node where its own system user is free. */
  const placed = (row: WebRow) => {
    const web = own.get(row.fqdn_ascii)
    if (!overwrite || web === undefined || row.node === null || row.node === web.node) return row
    if (row.sysuser !== null && web.seenAt === null) return row
    const key = userKey({ node: row.node, sysuser: web.sysuser })
    const owner = owners.get(key) ?? row
    owners.set(key, owner)
    if (owner.fqdn_ascii === row.fqdn_ascii) return row
    report.note(
      'webs',
      `${row.fqdn}: stays on ${web.node}, because ${owner.fqdn} has its system user ${web.sysuser} on ${row.node}.`,
    )
    return { ...row, node: web.node }
  }
  return rows.map((row) => placed(claimed(row)))
}

type ExistingWeb = ExistingRow & {
  readonly row: typeof webs.$inferSelect
  readonly node: string | null
  readonly categories: readonly string[]
  /** The facts that Kustos has read itself. */
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

const webImport = (
  run: Run,
  { nodes: nodeIds, categories: categoryIds }: PlaceIds,
): RowImport<WebRow, ExistingWeb> => ({
  part: 'webs',
  table: webs,
  subject: 'web',
  key: ({ fqdn_ascii }) => fqdn_ascii,
  name: ({ fqdn }) => fqdn,
  bringUpToDate: async (tx, rows) => withoutTakenUsers(run, tx, await withMergedCodes(tx.db, rows)),
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
  importedValues: (row, existing) => importedValues(row, existing?.seen ?? null),
  existingValues: ({ row, node, categories: categoryNames }) => ({ ...row, node, categories: categoryNames }),
  link: ({ db }, added) =>
    linkCategories(
      db,
      added.map(({ id, row }) => ({ id, categories: row.categories })),
      (name) => categoryIds.get(name),
    ),
  async update(tx, { id, row: old }, row, { node, categories: changed, ...values }) {
    const written = {
      ...values,
      ...(node !== undefined && { node_id: nodeIds.get(String(node)) ?? null }),
      ...(values.fqdn !== undefined && { fqdn_ascii: row.fqdn_ascii }),
      updated_at: nextUpdatedAt(old, tx),
    }
    await tx.db.update(webs).set(written).where(eq(webs.id, id))
    if (changed !== undefined) {
      await tx.db.delete(webCategories).where(eq(webCategories.web_id, id))
      await linkCategories(tx.db, [{ id, categories: row.categories }], (name) => categoryIds.get(name))
    }
    // Another contract applies to it.
    if (values.customer !== undefined) await reconsiderWebs(tx, eq(webs.id, id))
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
  // A system user that is missing, or another web's, is no reason to remove ours.
  if (row.sysuser === null) left.add('sysuser')
  // A missing value leads to the default.
  if (row.monitoring_web_active === null) left.add('monitoring_web_active')
  return Object.fromEntries(Object.entries(values).filter(([field]) => !left.has(field)))
}

/** The webs of these names; deleted ones only if there is no other. */
async function findWebs(
  { db }: AuditTransaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, ExistingWeb>> {
  const rows = await db
    .select({ row: webs, node: nodes.name })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(inArray(webs.fqdn_ascii, [...names]))
    .orderBy(sql`${webs.deleted_at} nulls last`)
  const ids = rows.map(({ row }) => row.id)
  const categoryNames = await readCategoryNames(db, ids)
  const seenFacts = await db
    .select()
    .from(webFacts)
    .where(and(inArray(webFacts.web_id, ids), isNotNull(webFacts.seen_at)))
  const seen = Map.groupBy(seenFacts, ({ web_id }) => web_id)
  // If names are equal, the last one wins, which is not deleted.
  return new Map(
    rows.map(({ row, node }): [string, ExistingWeb] => [
      row.fqdn_ascii,
      {
        id: row.id,
        isDeleted: row.deleted_at !== null,
        row,
        node,
        categories: categoryNames.get(row.id) ?? [],
        seen: new Set(seen.get(row.id)?.map(({ fact }) => fact)),
      },
    ]),
  )
}

/** A web of the former system, with the names of its categories in order. */
export type WebRow = NonNullable<ReturnType<typeof readWeb>>

const editableFields = newWeb
  .pick({
    fqdn: true,
    customer: true,
    configured_ip: true,
    framework_name: true,
    framework_version: true,
    comment: true,
    monitoring_web_reporting_channel: true,
    auftragnr_hosting: true,
  })
  .required()

/** Validates a web like one that a user enters. @returns null for a web that is left out, which is reported */
export function readWeb(
  { report }: Run,
  { deleted_at: _, ...web }: LegacyWeb,
  nameOf: (category: LegacyName) => string | null,
) {
  const channels = [...new Set(web.monitoring_web_reporting_channel)].join(',')
  const parsed = editableFields.safeParse({ ...web, monitoring_web_reporting_channel: channels })
  if (!parsed.success) {
    const name = web.id === null ? web.fqdn : `${web.fqdn.slice(0, 253)} (id ${web.id})`
    report.problem('webs', formatIssues(name, parsed.error))
    return null
  }
  const { data } = parsed
  const { tracking, unread } = readTracking(web.tracking_data)
  if (unread.length > 0) {
    report.note(
      'webs',
      `${data.fqdn}: tracking data is unreadable (${unread.join(', ')}) until the next audit.`,
    )
  }
  const names = web.categories.map(nameOf)
  if (names.includes(null)) report.note('webs', `${data.fqdn}: imported without an unknown category.`)
  return {
    ...web,
    ...data,
    monitoring_web_reporting_channel: channels,
    fqdn_ascii: asciiFqdn(data.fqdn) ?? data.fqdn,
    categories: [...new Set(names.flatMap((name) => name ?? []))].sort(),
    sites: web.sites.map((fqdn) => ({ fqdn })),
    aliases: web.aliases.map((fqdn) => ({ fqdn })),
    tracking_data: tracking,
  }
}
