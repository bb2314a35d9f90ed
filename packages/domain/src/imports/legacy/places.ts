import type { LegacyCategory, LegacyNode, LegacyWeb } from '@kustos/clients/legacy'
import { categories, nodes } from '@kustos/database/tables'
import { eq, inArray } from 'drizzle-orm'
import { type Found, type Kind, type Run, takeRows } from './take-rows.ts'

interface NodeRow extends LegacyNode {
  /** Unknown in the former system. */
  readonly id: null
}

/**
 * Imports the nodes, including those that only webs name, since the node of a web cannot be changed later.
 * @returns ids by name
 */
export async function takeNodes(
  run: Run,
  given: readonly LegacyNode[],
  webs: readonly LegacyWeb[],
): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, NodeRow>(given.map((node) => [node.name, { ...node, id: null }]))
  for (const { node } of webs) {
    if (node === null || rows.has(node)) continue
    rows.set(node, { id: null, name: node, plesk_fqdn: null, cloud_enabled: null })
    run.report.note('nodes', `${node} is not in the list of nodes, but webs name it: it is taken as ${node}.`)
  }
  return takeRows(run, nodeKind, [...rows.values()])
}

const nodeKind: Kind<NodeRow, Found & { plesk_fqdn: string; cloud_enabled: boolean }> = {
  part: 'nodes',
  table: nodes,
  subject: null,
  key: ({ name }) => name,
  name: ({ name }) => name,
  async find({ db }, rows) {
    const found = await db
      .select()
      .from(nodes)
      .where(
        inArray(
          nodes.name,
          rows.map(({ name }) => name),
        ),
      )
    return new Map(found.map((row) => [row.name, row]))
  },
  columns: ({ name, plesk_fqdn, cloud_enabled }, now) => ({
    name,
    plesk_fqdn: plesk_fqdn ?? name,
    cloud_enabled: cloud_enabled ?? false,
    created_at: now,
    updated_at: now,
  }),
  // Missing values are not compared.
  importedValues: ({ plesk_fqdn, cloud_enabled }) => ({
    ...(plesk_fqdn !== null && { plesk_fqdn }),
    ...(cloud_enabled !== null && { cloud_enabled }),
  }),
  existingValues: ({ plesk_fqdn, cloud_enabled }) => ({ plesk_fqdn, cloud_enabled }),
  async update({ db, now }, { id }, _, values) {
    await db
      .update(nodes)
      .set({ ...values, updated_at: now() })
      .where(eq(nodes.id, id))
  },
}

/** Imports the categories, including those that only webs name. @returns ids by name */
export async function takeCategories(
  run: Run,
  given: readonly LegacyCategory[],
  webs: readonly LegacyWeb[],
): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, LegacyCategory>()
  const named = webs.flatMap((web) =>
    web.categories.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])),
  )
  for (const category of [...given, ...named]) {
    if (!rows.has(category.name)) rows.set(category.name, category)
  }
  return takeRows(run, categoryKind, [...rows.values()])
}

const categoryKind: Kind<LegacyCategory, Found> = {
  part: 'categories',
  table: categories,
  subject: null,
  key: ({ name }) => name,
  name: ({ name }) => name,
  async find({ db }, rows) {
    const names = rows.map(({ name }) => name)
    const found = await db.select().from(categories).where(inArray(categories.name, names))
    return new Map(found.map((row) => [row.name, row]))
  },
  columns: ({ name }, now) => ({ name, created_at: now, updated_at: now }),
  importedValues: () => ({}),
  existingValues: () => ({}),
  update: null,
}
