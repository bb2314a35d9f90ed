import type { Transaction } from '@kustos/database/client'
import { categories, nodes, tags } from '@kustos/database/tables'

export interface SeedNode {
  readonly name: string
  readonly plesk_fqdn: string
  readonly cloud_enabled: boolean
  /** In a network for documentation (RFC 5737, RFC 3849). */
  readonly address: string
}

const node = (name: string, address: string, cloud_enabled = true): SeedNode => ({
  name,
  plesk_fqdn: `${name}.hosting.test`,
  cloud_enabled,
  address,
})

export const seedNodes: readonly [SeedNode, ...SeedNode[]] = [
  node('bz-cloud-01', '192.0.2.11'),
  node('bz-cloud-02', '192.0.2.12'),
  node('ibk-cloud-01', '198.51.100.21'),
  node('muc-cloud-01', '203.0.113.31'),
  node('bz-legacy-07', '192.0.2.97', false),
]

const seedCategories = [
  ...['Hotel', 'Ferienwohnung', 'Gastronomie', 'Weingut', 'Handwerk', 'Handel', 'Shop', 'Tourismus'],
  ...['Gesundheit', 'Verein', 'Öffentliche Verwaltung', 'Industrie', 'Landingpage', 'Intern'],
  ...['Wartungsvertrag', 'SEO'],
]

const seedTags: (typeof tags.$inferInsert)[] = [
  { name: 'contract', type: 'list', options: ['gold', 'silver', 'bronze'], color: 'yellow' },
  { name: 'legal', color: 'red', description: 'Impressum und Datenschutz sind anwaltlich geprüft' },
  { name: 'review', type: 'date', color: 'blue', description: 'Nächste Prüfung des Vertrags' },
]

export interface SeededLists {
  /** Ids by name. */
  readonly nodes: ReadonlyMap<string, number>
  readonly categories: ReadonlyMap<string, number>
}

/** Adds the nodes, categories and tags that are missing; users may have changed these lists. */
export async function seedNodesAndCategories(db: Transaction): Promise<SeededLists> {
  await db
    .insert(nodes)
    .values([...seedNodes])
    .onConflictDoNothing()
  await db
    .insert(categories)
    .values(seedCategories.map((name) => ({ name })))
    .onConflictDoNothing()
  await db.insert(tags).values(seedTags).onConflictDoNothing()
  const byName = (rows: { id: number; name: string }[]) => new Map(rows.map(({ id, name }) => [name, id]))
  return {
    nodes: byName(await db.select({ id: nodes.id, name: nodes.name }).from(nodes)),
    categories: byName(await db.select({ id: categories.id, name: categories.name }).from(categories)),
  }
}
