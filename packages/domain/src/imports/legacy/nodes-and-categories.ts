import type { LegacyCategory, LegacyNode, LegacyWeb } from '@kustos/clients/legacy'
import { categories, nodes } from '@kustos/database/tables'
import {
  type ExistingRow,
  importRows,
  type RowImport,
  type Run,
  tableImport,
  type Values,
} from './import-rows.ts'

interface NodeRow extends LegacyNode {
  /** Unknown in the former system. */
  readonly id: null
}

/**
 * Imports the nodes, including those that only webs name, since the node of a web cannot be changed later.
 * @returns ids by name
 */
export async function importNodes(
  run: Run,
  sourceRows: readonly LegacyNode[],
  webs: readonly LegacyWeb[],
): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, NodeRow>(sourceRows.map((node) => [node.name, { ...node, id: null }]))
  for (const { node } of webs) {
    if (node === null || rows.has(node)) continue
    rows.set(node, { id: null, name: node, plesk_fqdn: null, cloud_enabled: null })
    run.report.note('nodes', `${node} is not in the list of nodes, but webs use it, so it was added.`)
  }
  return importRows(run, nodeImport, [...rows.values()])
}

const nodeImport: RowImport<NodeRow, ExistingRow & Values> = {
  ...tableImport<NodeRow>({
    part: 'nodes',
    table: nodes,
    subject: null,
    column: nodes.name,
    key: ({ name }) => name,
    name: ({ name }) => name,
    columns: ({ name, plesk_fqdn, cloud_enabled }, now) => ({
      name,
      plesk_fqdn: plesk_fqdn ?? name,
      cloud_enabled: cloud_enabled ?? false,
      created_at: now,
      updated_at: now,
    }),
    compared: ['plesk_fqdn', 'cloud_enabled'],
  }),
  // A stored key is only sent to the panel that it was entered for.
  fixed: ({ plesk_key: key }) => (key === null ? [] : ['plesk_fqdn']),
}

/** Imports the categories, including those that only webs name. @returns ids by name */
export async function importCategories(
  run: Run,
  sourceRows: readonly LegacyCategory[],
  webs: readonly LegacyWeb[],
): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, LegacyCategory>()
  const named = webs.flatMap((web) =>
    web.categories.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])),
  )
  for (const category of [...sourceRows, ...named]) {
    if (!rows.has(category.name)) rows.set(category.name, category)
  }
  return importRows(run, categoryImport, [...rows.values()])
}

const categoryImport = tableImport<LegacyCategory>({
  part: 'categories',
  table: categories,
  subject: null,
  column: categories.name,
  key: ({ name }) => name,
  name: ({ name }) => name,
  columns: ({ name }, now) => ({ name, created_at: now, updated_at: now }),
  compared: [],
})
