import type { Database, Transaction } from '@kustos/database/client'
import { customers, logEntries, users, webCategories, webs } from '@kustos/database/tables'
import { eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { sandboxRepositoryName } from '../bitbucket/repository-name.ts'
import { deletedWebs, regularWebs, specialWebs } from './agency.ts'
import { createAuditLog } from './audit-log.ts'
import { seedChannels } from './channels.ts'
import { seedChecks } from './checks.ts'
import namedCustomers from './customers.json' with { type: 'json' }
import { generateWeb } from './generated-webs.ts'
import { seedMaintenance } from './maintenance.ts'
import { type SeededLists, seedNodesAndCategories } from './nodes-and-categories.ts'
import { seedOnCall } from './on-call.ts'
import { createRandom } from './random.ts'
import { seedExternalDomains } from './seed-external-domains.ts'
import { seedThirdParties } from './third-parties.ts'
import { seedUptime } from './uptime/index.ts'
import { administrator, seedUsers } from './users.ts'
import { buildWeb, type SeedWeb } from './web.ts'

export interface SeedOptions {
  /** The number of webs, without deleted ones. Existing webs are never removed. */
  readonly webs: number
  /** All times are relative to it; the current time by default. */
  readonly now?: Date
}

interface CustomerDefinition {
  readonly name: string
  readonly contact?: { readonly name: string; readonly role: string; readonly email: string }
}

/**
 * Fills a migrated database with the sandbox's data, the same at every run, and tops up its webs in later runs. A database with
 * users, but without the sandbox's administrator, is not the sandbox's own and stays as it is.
 * @returns the number of webs, and how many of them are new
 */
export async function seed(db: Database, options: SeedOptions): Promise<{ webs: number; added: number }> {
  const now = options.now ?? new Date()
  // One transaction, so that an interrupted start leaves no partial data.
  const { isSandbox, ...seeded } = await db.transaction(async (tx) => {
    const isEmpty = (await tx.$count(users)) === 0
    const isSandbox = isEmpty || (await tx.$count(users, eq(users.email, administrator))) > 0
    const before = await countWebs(tx)
    if (!isSandbox) return { webs: before, added: 0, isSandbox }
    const places = await seedNodesAndCategories(tx)
    if (isEmpty) await seedAgency(tx, places, options.webs, now)
    await topUp(tx, places, options.webs, now)
    const creators = await tx.select({ id: users.id }).from(users).orderBy(users.id).limit(3)
    await seedExternalDomains(
      tx,
      creators.map(({ id }) => id),
      now,
    )
    const after = await countWebs(tx)
    // Otherwise the first queries would be planned for empty tables.
    if (after > before) await tx.execute(sql`analyze ${webs}, ${webCategories}`)
    return { webs: after, added: after - before, isSandbox }
  })
  if (isSandbox) await seedUptime(db, now)
  return seeded
}

const countWebs = (db: Transaction): Promise<number> => db.$count(webs, isNull(webs.deleted_at))

async function seedAgency(db: Transaction, places: SeededLists, limit: number, now: Date): Promise<void> {
  const userIds = await seedUsers(db, now)
  const random = createRandom(1977)
  const definitions = [...[...regularWebs, ...specialWebs].slice(0, limit), ...deletedWebs]
  const built = definitions.map((definition) => {
    const web = buildWeb(definition, random, now)
    // Generated webs have none, because they are not in Bitbucket.
    const repository = sandboxRepositoryName(definition.fqdn, definition.framework ?? null)
    return { ...web, row: { ...web.row, repository } }
  })
  await insertWebs(db, places, built)
  await seedThirdParties(db, now)
  await nameCustomers(db)
  await seedChecks(db)
  const [planner, ...others] = userIds
  await seedChannels(db, now)
  if (planner !== undefined) await seedMaintenance(db, planner, now)
  await seedOnCall(db, others.slice(0, 3), now)
  await db.insert(logEntries).values(createAuditLog(await db.select().from(webs), userIds, now))
}

/** The rows are there: the database adds one for each new code. */
async function nameCustomers(db: Transaction): Promise<void> {
  const definitions: Readonly<Record<string, CustomerDefinition>> = namedCustomers
  for (const [code, { name, contact }] of Object.entries(definitions))
    await db
      .update(customers)
      .set({ name, contacts: contact === undefined ? [] : [{ ...contact, phone: null }] })
      .where(eq(customers.code, code))
}

/** Adds generated webs up to the wanted number, except for names that users have taken. */
async function topUp(db: Transaction, places: SeededLists, wanted: number, now: Date): Promise<void> {
  let missing = wanted - (await countWebs(db))
  // Each existing row, deleted or not, stands for at most one generated web.
  for (let next = await db.$count(webs); missing > 0; ) {
    const size = Math.min(missing, 1000)
    const batch = Array.from({ length: size }, (_, i) => generateWeb(next + i, now))
    next += size
    missing -= await insertWebs(db, places, batch)
  }
}

const { id: _, ...insertedColumns } = getTableColumns(webs)
const columns = sql.join(
  Object.values(insertedColumns).map(({ name }) => sql.identifier(name)),
  sql`, `,
)

/** @returns how many were added */
async function insertWebs(db: Transaction, places: SeededLists, batch: readonly SeedWeb[]): Promise<number> {
  const rows = batch.map(({ row, node }) => ({
    ...row,
    node_id: node === null ? null : (places.nodes.get(node) ?? null),
  }))
  // One JSON parameter is several times as fast as one parameter per value.
  const { rows: inserted } = await db.execute<{ id: number; ascii: string; deleted: boolean }>(sql`
    insert into ${webs} (${columns})
    select ${columns} from json_populate_recordset(null::${webs}, ${JSON.stringify(rows)})
    on conflict do nothing
    returning id, fqdn_ascii as ascii, deleted_at is not null as deleted`)
  const key = (ascii: string, isDeleted: boolean) => `${ascii} ${isDeleted}`
  const ids = new Map(inserted.map(({ id, ascii, deleted }) => [key(ascii, deleted), id]))
  const links = batch.flatMap(({ row, categories }) => {
    const id = ids.get(key(row.fqdn_ascii, row.deleted_at != null))
    if (id === undefined) return []
    // Users may have deleted a category.
    return [...new Set(categories)].flatMap((name) => {
      const category = places.categories.get(name)
      return category === undefined ? [] : [{ web_id: id, category_id: category }]
    })
  })
  if (links.length > 0) await db.insert(webCategories).values(links)
  return inserted.length
}
