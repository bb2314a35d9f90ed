import { asciiFqdn, type NewWeb, type Web, type WebChange } from '@kustos/contract/webs'
import { categories, nodes, webCategories, webs } from '@kustos/database/tables'
import { eq, inArray } from 'drizzle-orm'
import { after, type Change, change, changedMeanwhile, difference } from '../audit.ts'
import type { Context, Scope } from '../context.ts'
import { brokeUnique, conflict, type DomainError, invalid, notFound } from '../errors.ts'
import { presentWeb } from './present.ts'

const subject = (id: number) => ({ type: 'web', id })

const fqdnTaken = invalid({ fqdn: 'A web with this FQDN exists already' })

/** @throws DomainError invalid for a taken fqdn, an unknown node or category */
export const createWeb = (context: Context, input: NewWeb): Promise<Web> =>
  withFreeFqdn(fqdnTaken, () => change(context, (inside) => addWeb(inside, input)))

/** @throws DomainError invalid for an unknown node or category */
async function addWeb(inside: Change, input: NewWeb): Promise<Web> {
  const { categories: chosen = [], node, ...columns } = input
  const nodeId = await nodeFor(inside, node)
  await lockCategories(inside, chosen)
  const now = inside.now()
  const [created] = await inside.db
    .insert(webs)
    .values({ ...rowOf(columns), node_id: nodeId, created_at: now, updated_at: now })
    .returning({ id: webs.id })
  if (!created) throw new Error('The web was not kept')
  await setCategories(inside, created.id, chosen)
  const web = await presented(inside, created.id)
  await inside.record({
    log: 'webs',
    description: 'created',
    subject: subject(web.id),
    attributes: logged(web),
  })
  return web
}

/**
 * Changes a web. Fields left out stay as they are.
 * @throws DomainError conflict where the web has changed since `updated_at`; invalid for another node, a taken fqdn, an
 * unknown category; not-found
 */
export const editWeb = (context: Context, id: number, input: WebChange): Promise<void> =>
  withFreeFqdn(fqdnTaken, () =>
    change(context, async (inside) => {
      if (!(await changeWeb(inside, id, input))) inside.unchanged()
    }),
  )

/** @returns whether anything was changed */
async function changeWeb(inside: Change, id: number, input: WebChange): Promise<boolean> {
  const row = await lock(inside, id, 'living')
  const { categories: chosen, node, updated_at: seen, ...columns } = input
  if (seen !== undefined && Date.parse(seen) !== row.updated_at.getTime())
    throw await changedMeanwhile(inside, subject(id), 'web', row.updated_at)
  const before = await presented(inside, id)
  if (node !== undefined && (node === '' ? null : node) !== before.node) {
    throw invalid({ node: 'The node of a web cannot change' })
  }
  if (chosen) await lockCategories(inside, chosen)
  await inside.db
    .update(webs)
    .set({ ...rowOf(columns), updated_at: after(row, inside) })
    .where(eq(webs.id, id))
  if (chosen) await setCategories(inside, id, chosen)
  const changed = difference(logged(before), logged(await presented(inside, id)))
  if (changed) {
    await inside.record({ log: 'webs', description: 'updated', subject: subject(id), ...changed })
    return true
  }
  // Nobody changed anything: the time goes back, or the next one to save would be told otherwise.
  await inside.db.update(webs).set({ updated_at: row.updated_at }).where(eq(webs.id, id))
  return false
}

/** Deletes a web so that it can be restored. @throws DomainError not-found */
export const deleteWeb = (context: Context, id: number): Promise<void> =>
  change(context, async (inside) => {
    const row = await lock(inside, id, 'living')
    const old = logged(await presented(inside, id))
    const changes = { deleted_at: inside.now(), updated_at: after(row, inside) }
    await inside.db.update(webs).set(changes).where(eq(webs.id, id))
    await inside.record({ log: 'webs', description: 'deleted', subject: subject(id), old })
  })

/** @throws DomainError conflict where its fqdn is another web's meanwhile; not-found where no such web is deleted */
export const restoreWeb = (context: Context, id: number): Promise<void> =>
  withFreeFqdn(conflict('Another web has this FQDN meanwhile.'), () =>
    change(context, async (inside) => {
      const row = await lock(inside, id, 'deleted')
      const changes = { deleted_at: null, updated_at: after(row, inside) }
      await inside.db.update(webs).set(changes).where(eq(webs.id, id))
      const attributes = logged(await presented(inside, id))
      await inside.record({ log: 'webs', description: 'restored', subject: subject(id), attributes })
    }),
  )

type Columns = Omit<WebChange, 'categories' | 'node' | 'updated_at'>

function rowOf({ monitoring_web_active: active, ...columns }: Columns) {
  return {
    ...withoutUndefined(columns),
    fqdn: columns.fqdn,
    // The contract has parsed it, so it has an ASCII form.
    fqdn_ascii: asciiFqdn(columns.fqdn) ?? columns.fqdn,
    customer: columns.customer,
    configured_ip: columns.configured_ip,
    ...(active !== undefined && { monitoring_web_active: active === 1 }),
  }
}

function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(object).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

async function lock(inside: Scope, id: number, which: 'living' | 'deleted') {
  const [row] = await inside.db.select().from(webs).where(eq(webs.id, id)).for('update')
  if (!row || (row.deleted_at === null) !== (which === 'living')) throw notFound(`Web ${id}`)
  return row
}

async function presented(inside: Scope, id: number): Promise<Web> {
  const web = await presentWeb(inside.db, id)
  if (!web) throw new Error(`Web ${id} is gone amid its own change`)
  return web
}

/** What the log tells of a web: not what moves by itself, and not what audits found of it, which is kept with them. */
function logged({
  created_at: _,
  updated_at: _changed,
  deleted_at: _deleted,
  down_since: _down,
  ...web
}: Web) {
  const { id: _id, tracking_data: _found, metadata, categories: held, ...fields } = web
  return { ...fields, topics: metadata.topics, categories: held.map(({ name }) => name) }
}

async function nodeFor(inside: Scope, name: string | null | undefined): Promise<number | null> {
  if (name == null || name === '') return null
  const [node] = await inside.db.select({ id: nodes.id }).from(nodes).where(eq(nodes.name, name))
  if (!node) throw invalid({ node: 'There is no such node' })
  return node.id
}

/** Before the first change: whoever changes webs locks rows first and the list's revision, which triggers move, last. */
async function lockCategories(inside: Scope, chosen: readonly number[]): Promise<void> {
  const ids = [...new Set(chosen)]
  if (ids.length === 0) return
  const known = await inside.db
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.id, ids))
    .orderBy(categories.id)
    .for('key share')
  if (known.length !== ids.length) throw invalid({ categories: 'There is no such category' })
}

async function setCategories(inside: Scope, webId: number, chosen: readonly number[]): Promise<void> {
  await inside.db.delete(webCategories).where(eq(webCategories.web_id, webId))
  const links = [...new Set(chosen)].map((id) => ({ web_id: webId, category_id: id }))
  if (links.length > 0) await inside.db.insert(webCategories).values(links)
}

async function withFreeFqdn<T>(taken: DomainError, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw brokeUnique(error, 'webs_living_fqdn') ? taken : error
  }
}
