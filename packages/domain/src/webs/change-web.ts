import type { WebEdits } from '@kustos/contract/batches'
import { derivedFields } from '@kustos/contract/logs'
import { type Message, message } from '@kustos/contract/messages'
import { changeTags, maxTags } from '@kustos/contract/tags'
import { asciiFqdn, type NewWeb, type Web, type WebChange, webChange } from '@kustos/contract/webs'
import { categories, nodes, webCategories, webFacts, webs } from '@kustos/database/tables'
import { and, eq, inArray } from 'drizzle-orm'
import { findSystemUserOwner } from '../deployment/index.ts'
import { forgetCertificates } from '../monitoring/index.ts'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import {
  conflict,
  DomainError,
  invalid,
  mapUniqueViolation,
  notFound,
  refusedField,
} from '../platform/errors.ts'
import { type LoggedChange, rejectOutdatedRevert, rejectSupersededRevert } from '../platform/logged-change.ts'
import { lockCode, rejectRevertToMergedCode } from '../platform/merged-codes.ts'
import { withoutUndefined } from '../platform/without-undefined.ts'
import { lockGivenTags, lockTags } from '../tags/index.ts'
import { reconsiderWebs } from '../tracking-contracts/index.ts'
import { presentWeb } from './web-json.ts'

const subject = (id: number) => ({ type: 'web', id })
const entry = entriesOf('webs', 'web')

const fqdnTaken = { webs_active_fqdn: () => invalid({ fqdn: message('fqdn_taken') }) }

/** @throws DomainError invalid for a taken fqdn, a merged customer, an unknown node, category or tag, and for a value of another type */
export const createWeb = (context: Context, input: NewWeb): Promise<Web> =>
  mapUniqueViolation(fqdnTaken, () => withAudit(context, (tx) => addWeb(tx, input)))

/** @throws DomainError invalid for a merged customer, an unknown node, category or tag, and for a value of another type */
async function addWeb(tx: AuditTransaction, input: NewWeb): Promise<Web> {
  const { categories: chosen = [], node, ...given } = await lockGivenTags(tx, input)
  const columns = { ...given, customer: await lockCode(tx, given.customer) }
  const nodeId = await nodeFor(tx, node)
  await lockCategories(tx, chosen)
  const now = tx.now()
  const [created] = await tx.db
    .insert(webs)
    .values({ ...rowOf(columns), node_id: nodeId, created_at: now, updated_at: now })
    .returning({ id: webs.id })
  if (!created) throw new Error('The web was not inserted')
  await setCategories(tx, created.id, chosen)
  const web = await presented(tx, created.id)
  await tx.record({ ...entry('created', web.id), attributes: logged(web) })
  return web
}

/**
 * Changes a web. Omitted fields stay unchanged.
 * @throws DomainError conflict if the web has changed since `updated_at`; invalid for another node, a taken fqdn, a merged customer,
 * an unknown category or tag, and for a value of another type; not-found
 */
export const editWeb = (context: Context, id: number, input: WebChange): Promise<void> =>
  mapUniqueViolation(fqdnTaken, () =>
    withAudit(context, async (tx) => {
      const given = await lockGivenTags(tx, input)
      const row = await lock(tx, id, 'active')
      await rejectStaleWrite(tx, subject(id), 'web', row.updated_at, input.updated_at)
      const customer = given.customer === row.customer ? row.customer : await lockCode(tx, given.customer)
      await change(tx, row, await presented(tx, id), { ...given, customer })
    }),
  )

/**
 * Changes some fields of a web in the transaction of the caller.
 * @returns false if it has all these values already
 * @throws DomainError invalid for an unknown category and too many tags; conflict for a merged customer, an unknown tag and a value of
 * another type; not-found
 */
export async function applyEdits(tx: AuditTransaction, id: number, edits: WebEdits): Promise<boolean> {
  const added = edits.add_tags && (await lockTags(tx, edits.add_tags, refusedInBatch))
  const row = await lock(tx, id, 'active')
  const customer = edits.customer && (await lockCode(tx, edits.customer, refusedInBatch))
  const before = await presented(tx, id)
  return change(tx, row, before, mergeEdits(before, { ...edits, customer, add_tags: added }))
}

/** The targets of a batch show the reason. */
const refusedInBatch = (reason: Message) => new DomainError('conflict', reason)

const revertible = webChange.partial()

/**
 * Takes a logged change of a web back in the transaction of the caller, who wraps it in `rejectTakenFqdn`.
 * @throws DomainError conflict if one of the fields has changed since, or for another kind of entry; not-found
 */
export async function revertWeb(tx: AuditTransaction, id: number, made: LoggedChange): Promise<void> {
  if (made.description === 'deleted' || made.description === 'restored') {
    await tx.db.select({ id: webs.id }).from(webs).where(eq(webs.id, id)).for('update')
    await rejectSupersededRevert(tx, subject(id), made.id)
    return made.description === 'deleted' ? restoreWebInTransaction(tx, id) : deleteWebInTransaction(tx, id)
  }
  const old = Object.fromEntries(Object.entries(made.old).filter(([field]) => !derivedFields.includes(field)))
  const fields = revertible.safeParse({ ...old, categories: undefined })
  if (!fields.success) throw conflict('change_not_revertible')
  const given = await lockGivenTags(tx, fields.data, (reason) => conflict('tags_gone', { reason }))
  const row = await lock(tx, id, 'active')
  if (given.customer !== undefined) await rejectRevertToMergedCode(tx, given.customer)
  const before = await presented(tx, id)
  await rejectOutdatedRevert(tx, subject(id), logged(before), { ...made, old })
  const chosen = Array.isArray(old.categories)
    ? await findCategories(tx, old.categories.map(String))
    : undefined
  const { fqdn, customer, configured_ip } = before
  const input = { fqdn, customer, configured_ip, ...withoutUndefined(given) }
  await change(tx, row, before, { ...input, ...(chosen && { categories: chosen }) })
}

/** @throws DomainError conflict for a category that no longer exists */
async function findCategories(tx: Scope, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const known = await tx.db
    .select()
    .from(categories)
    .where(inArray(categories.name, [...names]))
  const missing = names.find((name) => !known.some((category) => category.name === name))
  if (missing !== undefined) throw conflict('category_gone', { name: missing })
  return known.map(({ id }) => id)
}

/** A web's change that makes these edits. */
function mergeEdits(
  web: Pick<Web, 'fqdn' | 'customer' | 'configured_ip' | 'categories' | 'tags'>,
  { add_categories: added = [], remove_categories: removed = [], add_tags, remove_tags, ...edits }: WebEdits,
): WebChange {
  const { fqdn, customer, configured_ip } = web
  const tags = add_tags || remove_tags ? changeTags(web.tags, add_tags, remove_tags) : undefined
  const change = { fqdn, customer, configured_ip, ...withoutUndefined({ ...edits, tags }) }
  if (added.length === 0 && removed.length === 0) return change
  const held = web.categories.map(({ id }) => id).filter((id) => !removed.includes(id))
  return { ...change, categories: [...new Set([...held, ...added])] }
}

/** @returns whether anything was changed */
async function change(
  tx: AuditTransaction,
  row: typeof webs.$inferSelect,
  before: Web,
  { categories: chosen, node, updated_at: _, ...columns }: WebChange,
): Promise<boolean> {
  const { id } = row
  if (node !== undefined && (node === '' ? null : node) !== before.node)
    throw invalid({ node: message('node_fixed') })
  if (columns.tags && columns.tags.length > maxTags)
    throw refusedField('tags', 'tags_too_many', { max: maxTags })
  if (chosen) await lockCategories(tx, chosen)
  const changed = difference<Partial<typeof row>>(row, rowOf(columns))?.attributes
  const isRecategorised = chosen && !hasSameIds(before.categories, chosen)
  // Each statement makes every open list of webs reload, even if it changes nothing.
  if (!changed && !isRecategorised) {
    tx.skipAudit()
    return false
  }
  if (changed?.fqdn_ascii !== undefined) await forgetFactsOfName(tx, id)
  await tx.db
    .update(webs)
    .set({
      ...changed,
      // The certificate was that of another name, which need not have one.
      ...(changed?.fqdn_ascii !== undefined && {
        cert_ca: null,
        cert_from: null,
        cert_expiration: null,
      }),
      updated_at: nextUpdatedAt(row, tx),
    })
    .where(eq(webs.id, id))
  if (isRecategorised) await setCategories(tx, id, chosen)
  await tx.record({
    ...entry('updated', id),
    ...difference(logged(before), logged(await presented(tx, id))),
  })
  // Another contract applies to it.
  if (changed?.customer !== undefined) await reconsiderWebs(tx, eq(webs.id, id))
  return true
}

/** What was seen of the former name says nothing about the new one, whose domain need not have pointed here before. */
async function forgetFactsOfName({ db }: Scope, id: number): Promise<void> {
  await db
    .update(webFacts)
    .set({ seen_at: null })
    .where(and(eq(webFacts.web_id, id), inArray(webFacts.fact, ['dns', 'certificate'])))
  // So that an audit is due: until then, the tracking that is shown is that of the former name.
  await db.delete(webFacts).where(and(eq(webFacts.web_id, id), eq(webFacts.fact, 'tracking')))
  await forgetCertificates(db, id)
}

function hasSameIds(rows: readonly { readonly id: number }[], ids: readonly number[]): boolean {
  const distinct = new Set(ids)
  return rows.length === distinct.size && rows.every(({ id }) => distinct.has(id))
}

/** Deletes a web, which can be restored. @throws DomainError not-found */
export const deleteWeb = (context: Context, id: number): Promise<void> =>
  withAudit(context, (tx) => deleteWebInTransaction(tx, id))

/** @throws DomainError not-found */
export async function deleteWebInTransaction(tx: AuditTransaction, id: number): Promise<void> {
  const row = await lock(tx, id, 'active')
  const old = logged(await presented(tx, id))
  const changes = { deleted_at: tx.now(), updated_at: nextUpdatedAt(row, tx) }
  await tx.db.update(webs).set(changes).where(eq(webs.id, id))
  await tx.record({ ...entry('deleted', id), old })
}

/**
 * @throws DomainError conflict if another web has taken the fqdn or the system user; not-found for a web that is not
 * deleted
 */
export const restoreWeb = (context: Context, id: number): Promise<void> =>
  rejectTakenFqdn(() => withAudit(context, (tx) => restoreWebInTransaction(tx, id)))

/** Runs a transaction that restores a web. @throws DomainError conflict if another web has taken the fqdn */
export const rejectTakenFqdn = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation({ webs_active_fqdn: () => conflict('fqdn_taken_meanwhile') }, work)

/** @throws DomainError conflict if another web has taken the system user; not-found for a web that is not deleted */
export async function restoreWebInTransaction(tx: AuditTransaction, id: number): Promise<void> {
  const row = await lock(tx, id, 'deleted')
  await checkSystemUser(tx, row)
  const changes = { deleted_at: null, updated_at: nextUpdatedAt(row, tx) }
  await tx.db.update(webs).set(changes).where(eq(webs.id, id))
  await tx.record({ ...entry('restored', id), attributes: logged(await presented(tx, id)) })
  // Its contract may have changed since.
  await reconsiderWebs(tx, eq(webs.id, id))
}

/** @throws DomainError conflict if another web of the node has or will get the system user */
async function checkSystemUser(
  tx: Scope,
  { fqdn, sysuser: user, node_id }: typeof webs.$inferSelect,
): Promise<void> {
  if (user === null || node_id === null) return
  const [node] = await tx.db.select().from(nodes).where(eq(nodes.id, node_id))
  const taken = node && (await findSystemUserOwner(tx.db, { fqdn, user, node }))
  if (taken) throw conflict('restore_without_system_user', { taken })
}

type Columns = Omit<WebChange, 'categories' | 'node' | 'updated_at'>

function rowOf({ monitoring_web_active: active, ...columns }: Columns) {
  return {
    ...withoutUndefined(columns),
    fqdn: columns.fqdn,
    // The contract accepts only names that have an ASCII form.
    fqdn_ascii: asciiFqdn(columns.fqdn) ?? columns.fqdn,
    customer: columns.customer,
    configured_ip: columns.configured_ip,
    ...(active !== undefined && { monitoring_web_active: active === 1 }),
  }
}

async function lock(tx: Scope, id: number, which: 'active' | 'deleted') {
  const [row] = await tx.db.select().from(webs).where(eq(webs.id, id)).for('update')
  if (!row || (row.deleted_at === null) !== (which === 'active')) throw notFound('web_not_found', { id })
  return row
}

async function presented(tx: Scope, id: number): Promise<Web> {
  const web = await presentWeb(tx.db, id)
  if (!web) throw new Error(`Web ${id} disappeared during its own change`)
  return web
}

/** The fields for the audit log, without those that change by themselves and the results of tracking audits. */
export function logged({
  created_at: _,
  updated_at: _changed,
  deleted_at: _deleted,
  down_since: _down,
  ...web
}: Web) {
  const { id: _id, tracking_data: _found, metadata, categories: held, ...others } = web
  // What follows the name by itself is no change of its own.
  const { cert_ca: _ca, cert_from: _from, cert_expiration: _expiration, ...fields } = others
  return { ...fields, topics: metadata.topics, categories: held.map(({ name }) => name) }
}

/** Keeps the node from being deleted before the transaction ends. */
async function nodeFor(tx: Scope, name: string | null | undefined): Promise<number | null> {
  if (name == null || name === '') return null
  const [node] = await tx.db.select({ id: nodes.id }).from(nodes).where(eq(nodes.name, name)).for('key share')
  if (!node) throw invalid({ node: message('node_unknown') })
  return node.id
}

/** Has to be called before the first change: its triggers lock the revision of the list, which must be locked last. */
export async function lockCategories(
  tx: Scope,
  chosen: readonly number[],
  field = 'categories',
): Promise<void> {
  const ids = [...new Set(chosen)]
  if (ids.length === 0) return
  const known = await tx.db
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.id, ids))
    .orderBy(categories.id)
    .for('key share')
  if (known.length !== ids.length) throw invalid({ [field]: message('category_unknown') })
}

async function setCategories(tx: Scope, webId: number, chosen: readonly number[]): Promise<void> {
  await tx.db.delete(webCategories).where(eq(webCategories.web_id, webId))
  const links = [...new Set(chosen)].map((id) => ({ web_id: webId, category_id: id }))
  if (links.length > 0) await tx.db.insert(webCategories).values(links)
}
