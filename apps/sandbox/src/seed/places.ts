import type { Transaction } from '@kustos/database/client'
import { categories, nodes } from '@kustos/database/tables'

export interface SeedNode {
  readonly name: string
  readonly plesk_fqdn: string
  readonly cloud_enabled: boolean
  /** Of networks that are kept for documentation (RFC 5737, RFC 3849). */
  readonly ip: string
}

export const seedNodes = [
  { name: 'bz-cloud-01', plesk_fqdn: 'bz-cloud-01.hosting.test', cloud_enabled: true, ip: '192.0.2.11' },
  { name: 'bz-cloud-02', plesk_fqdn: 'bz-cloud-02.hosting.test', cloud_enabled: true, ip: '192.0.2.12' },
  { name: 'ibk-cloud-01', plesk_fqdn: 'ibk-cloud-01.hosting.test', cloud_enabled: true, ip: '198.51.100.21' },
  { name: 'muc-cloud-01', plesk_fqdn: 'muc-cloud-01.hosting.test', cloud_enabled: true, ip: '203.0.113.31' },
  // The old machine that nobody dares to switch off.
  { name: 'bz-legacy-07', plesk_fqdn: 'bz-legacy-07.hosting.test', cloud_enabled: false, ip: '192.0.2.97' },
] as const satisfies readonly SeedNode[]

export type NodeName = (typeof seedNodes)[number]['name']

const seedCategories = [
  'Hotel',
  'Ferienwohnung',
  'Gastronomie',
  'Weingut',
  'Handwerk',
  'Handel',
  'Shop',
  'Tourismus',
  'Gesundheit',
  'Verein',
  'Öffentliche Verwaltung',
  'Industrie',
  'Landingpage',
  'Intern',
  'Wartungsvertrag',
  'SEO',
] as const

export type CategoryName = (typeof seedCategories)[number]

export interface SeededPlaces {
  /** Ids by name. */
  readonly nodes: ReadonlyMap<string, number>
  readonly categories: ReadonlyMap<string, number>
}

/** Adds what is missing, so that an inventory can be topped up whatever staff have done to the lists. */
export async function seedPlaces(db: Transaction): Promise<SeededPlaces> {
  await db
    .insert(nodes)
    .values(
      seedNodes.map(({ name, plesk_fqdn, cloud_enabled, ip }) => ({
        name,
        plesk_fqdn,
        cloud_enabled,
        address: ip,
      })),
    )
    .onConflictDoNothing()
  await db
    .insert(categories)
    .values(seedCategories.map((name) => ({ name })))
    .onConflictDoNothing()
  const ids = (rows: { id: number; name: string }[]) => new Map(rows.map((row) => [row.name, row.id]))
  return {
    nodes: ids(await db.select({ id: nodes.id, name: nodes.name }).from(nodes)),
    categories: ids(await db.select({ id: categories.id, name: categories.name }).from(categories)),
  }
}
