import type { Database, Transaction } from '@kustos/database/client'
import { logEntries, users, webCategories, webs } from '@kustos/database/tables'
import { count, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { repositoryOf } from '../bitbucket/generation.ts'
import { goneWebs, regularWebs } from './agency.ts'
import { seedExternalDomains } from './external-domains.ts'
import { generatedWeb } from './generated.ts'
import { oddWebs } from './oddities.ts'
import { pastOf } from './past.ts'
import { type SeededPlaces, seedPlaces } from './places.ts'
import { createRandom } from './random.ts'
import { seedUptime } from './uptime/index.ts'
import { administrator, seedUsers } from './users.ts'
import { type SeedWeb, webOf } from './web.ts'

export interface SeedOptions {
  /** How many living webs the inventory holds in the end. What is there already is never taken away. */
  readonly webs: number
  /** Everything is told as of this moment; now unless told otherwise. */
  readonly now?: Date
}

export interface Seeded {
  /** Living webs in the inventory. */
  readonly webs: number
  /** Those of them that are new. */
  readonly added: number
}

/**
 * Fills a migrated database with the sandbox's world, the same at every run, and on later runs tops up its webs. A
 * database that holds users, but not the sandbox's own administrator, is somebody's: it stays as it is.
 */
export async function seed(db: Database, options: SeedOptions): Promise<Seeded> {
  const now = options.now ?? new Date()
  // In one transaction, so that a start that is interrupted leaves an empty database and not half a world.
  const { isOurs, ...seeded } = await db.transaction(async (tx) => {
    const [people] = await tx.select({ count: count() }).from(users)
    const fresh = people?.count === 0
    const [ours] = await tx.select({ id: users.id }).from(users).where(eq(users.email, administrator))
    if (!fresh && !ours) return { webs: await countLiving(tx), added: 0, isOurs: false }
    const before = await countLiving(tx)
    const places = await seedPlaces(tx)
    if (fresh) await seedAgency(tx, places, options.webs, now)
    await topUp(tx, places, options.webs, now)
    await seedExternalDomains(tx, await causers(tx), now)
    const after = await countLiving(tx)
    // Else the first queries would be planned for empty tables.
    if (after > before) await tx.execute(sql`analyze ${webs}, ${webCategories}`)
    return { webs: after, added: after - before, isOurs: true }
  })
  if (isOurs) await seedUptime(db, now)
  return seeded
}

async function countLiving(db: Transaction): Promise<number> {
  const [living] = await db.select({ count: count() }).from(webs).where(isNull(webs.deleted_at))
  return living?.count ?? 0
}

/** The first of the agency's people. */
const causers = async (db: Transaction): Promise<number[]> =>
  (await db.select({ id: users.id }).from(users).orderBy(users.id).limit(3)).map(({ id }) => id)

async function seedAgency(db: Transaction, places: SeededPlaces, limit: number, now: Date): Promise<void> {
  const userIds = await seedUsers(db, now)
  const random = createRandom(1977)
  const living = [...regularWebs, ...oddWebs].slice(0, limit)
  const told = [...living, ...goneWebs].map((story) => {
    const web = webOf(story, random, now)
    // Generated webs have none: Bitbucket's catalogue knows the agency's alone.
    return { ...web, row: { ...web.row, repository: repositoryOf(story.fqdn, story.framework ?? null) } }
  })
  await insert(db, places, told)
  const past = await db.select().from(webs)
  await db.insert(logEntries).values(pastOf(past, userIds, now))
}

/** Adds generated webs until there are enough; a name that staff have taken meanwhile is left out. */
async function topUp(db: Transaction, places: SeededPlaces, wanted: number, now: Date): Promise<void> {
  let missing = wanted - (await countLiving(db))
  const [known] = await db.select({ count: count() }).from(webs)
  // Each row that there ever was stands for at most one of the generated webs.
  for (let next = known?.count ?? 0; missing > 0; ) {
    const size = Math.min(missing, 1000)
    const batch = Array.from({ length: size }, (_, i) => generatedWeb(next + i, now))
    next += size
    missing -= await insert(db, places, batch)
  }
}

const { id: _, ...written } = getTableColumns(webs)
const columns = sql.join(
  Object.values(written).map(({ name }) => sql.identifier(name)),
  sql`, `,
)

/** @returns how many were added */
async function insert(db: Transaction, places: SeededPlaces, batch: readonly SeedWeb[]): Promise<number> {
  const rows = batch.map(({ row, node }) => ({
    ...row,
    node_id: node === null ? null : (places.nodes.get(node) ?? null),
  }))
  // As one parameter: a statement with a parameter for each value takes several times as long.
  const { rows: kept } = await db.execute<{ id: number; ascii: string; deleted: boolean }>(sql`
    insert into ${webs} (${columns})
    select ${columns} from json_populate_recordset(null::${webs}, ${JSON.stringify(rows)})
    on conflict do nothing
    returning id, fqdn_ascii as ascii, deleted_at is not null as deleted`)
  const key = (ascii: string, deleted: boolean) => `${ascii} ${deleted}`
  const ids = new Map(kept.map((web) => [key(web.ascii, web.deleted), web.id]))
  const links = batch.flatMap(({ row, categories }) => {
    const id = ids.get(key(row.fqdn_ascii, row.deleted_at != null))
    if (id === undefined) return []
    return [...new Set(categories)].flatMap((name) => {
      const category = places.categories.get(name)
      return category === undefined ? [] : [{ web_id: id, category_id: category }]
    })
  })
  if (links.length > 0) await db.insert(webCategories).values(links)
  return kept.length
}
