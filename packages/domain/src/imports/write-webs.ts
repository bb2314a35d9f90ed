import { type TagRule, tagName } from '@kustos/contract/tags'
import { storableJson } from '@kustos/database/storable-text'
import { categories, customers, nodes, webCategories, webs } from '@kustos/database/tables'
import { and, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { type AuditTransaction, difference, nextUpdatedAt } from '../platform/audit.ts'
import { mapUniqueViolation } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { readMergedCodes } from '../platform/merged-codes.ts'
import { lockTagRules } from '../tags/index.ts'
import { reconsiderWebs } from '../tracking-contracts/index.ts'
import { type Evaluation, evaluateEntry, type Inventory } from './evaluate-lines.ts'
import { insertWithIds, nextIds } from './legacy/ids.ts'
import { linkCategories, readStates, type WebState } from './web-state.ts'

/** Another change has invalidated the evaluation of the lines, which has to be repeated. Nothing is written. */
export class ConcurrentUpdateError extends Error {}

export type Added = Extract<Evaluation, { outcome: 'added' }>
export type Changed = Extract<Evaluation, { outcome: 'changed' }>

/**
 * Writes the evaluated lines. Slow work comes before the locks that others wait for: first the audit log, then the row
 * locks in the order of the ids, then the new names in their order, and last the statements whose triggers lock the
 * revision of the list. This order prevents deadlocks.
 * @param recordSummary records the entry of the whole import before the first web is written. It gets the numbers of
 *   written webs, without those that someone else has since changed in the same way.
 * @throws ConcurrentUpdateError
 */
export async function writeWebs(
  tx: AuditTransaction,
  known: Inventory,
  added: readonly Added[],
  changed: readonly Changed[],
  recordSummary: (written: { added: number; changed: number }) => Promise<void>,
): Promise<void> {
  await lockCategories(tx, [...added, ...changed])
  await lockNodes(tx, known.nodes, added)
  await lockKnownTags(tx, known.tags, [...added, ...changed])
  const ids = await nextIds(tx.db, webs, added.length)
  const created = added.map((line, index) => ({ ...line, id: ids[index] ?? 0 }))
  if (created.length > 0) {
    await tx.recordAll(
      created.map(({ id, node, state }) => ({
        log: 'webs',
        description: 'created',
        subject: { type: 'web', id },
        attributes: { ...state, node },
      })),
    )
  }
  const differing = await lockChanged(tx, known, changed)
  await lockCustomers(tx, [...created, ...differing])
  await recordSummary({ added: created.length, changed: differing.length })
  await insertWebs(tx, known, created)
  await updateWebs(tx, differing)
  // Names may contain commas.
  const recategorised = differing.filter(
    ({ existing, state }) => JSON.stringify(existing.state.categories) !== JSON.stringify(state.categories),
  )
  const recategorisedIds = recategorised.map(({ existing }) => existing.id)
  if (recategorisedIds.length > 0)
    await tx.db.delete(webCategories).where(isAnyOf(webCategories.web_id, recategorisedIds))
  await linkCategories(
    tx.db,
    [
      ...created.map(({ id, state }) => ({ id, categories: state.categories })),
      ...recategorised.map(({ existing, state }) => ({ id: existing.id, categories: state.categories })),
    ],
    (name) => known.categories.get(name.toLowerCase())?.id,
  )
  // Another contract applies to those that have another customer.
  const movedIds = differing.flatMap(({ existing, state }) =>
    existing.state.customer === state.customer ? [] : [existing.id],
  )
  if (movedIds.length > 0) await reconsiderWebs(tx, isAnyOf(webs.id, movedIds))
}

/** @throws ConcurrentUpdateError if one of them no longer exists */
async function lockCategories(
  { db }: AuditTransaction,
  lines: readonly { readonly state: WebState }[],
): Promise<void> {
  const names = [...new Set(lines.flatMap(({ state }) => state.categories))]
  if (names.length === 0) return
  const locked = await db
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.name, names))
    .orderBy(categories.id)
    .for('key share')
  if (locked.length !== names.length) throw new ConcurrentUpdateError()
}

/** @throws ConcurrentUpdateError if one of them no longer exists or has another name */
async function lockNodes(
  { db }: AuditTransaction,
  known: Inventory['nodes'],
  lines: readonly Added[],
): Promise<void> {
  const names = [...new Set(lines.flatMap(({ node }) => node ?? []))]
  if (names.length === 0) return
  const locked = await db
    .select({ id: nodes.id, name: nodes.name })
    .from(nodes)
    .where(inArray(nodes.name, names))
    .orderBy(nodes.id)
    .for('key share')
  const now = new Map(locked.map(({ id, name }) => [name, id]))
  if (names.some((name) => now.get(name) !== known.get(name))) throw new ConcurrentUpdateError()
}

/** @throws ConcurrentUpdateError if one of them has changed since the lines were evaluated */
async function lockKnownTags(
  { db }: AuditTransaction,
  known: readonly TagRule[],
  lines: readonly { readonly state: WebState }[],
): Promise<void> {
  const carried = lines.flatMap(({ state }) => state.tags)
  if (carried.length === 0) return
  const locked = await lockTagRules(db, carried)
  const now = new Map(locked.map((rule) => [rule.name, JSON.stringify(rule)]))
  const before = new Map(known.map((rule) => [rule.name, JSON.stringify(rule)]))
  if (carried.map(tagName).some((name) => now.get(name) !== before.get(name)))
    throw new ConcurrentUpdateError()
}

/** Locks the webs, reads their current state and records their changes. @throws ConcurrentUpdateError */
async function lockChanged(
  tx: AuditTransaction,
  known: Inventory,
  lines: readonly Changed[],
): Promise<readonly Changed[]> {
  if (lines.length === 0) return []
  const ids = lines.map(({ existing }) => existing.id)
  await tx.db
    .select({ id: webs.id })
    .from(webs)
    .where(and(isAnyOf(webs.id, ids), isNull(webs.deleted_at)))
    .orderBy(webs.id)
    .for('update')
  const now = new Map((await readStates(tx.db, ids)).map((existing) => [existing.id, existing]))
  const differing = lines.flatMap(({ entry, existing }) => {
    const present = now.get(existing.id)
    if (present?.fqdn_ascii !== existing.fqdn_ascii) throw new ConcurrentUpdateError()
    const evaluation = evaluateEntry(known, entry, present, existing.fqdn_ascii)
    if (evaluation.outcome === 'invalid') throw new ConcurrentUpdateError()
    return evaluation.outcome === 'changed' ? [evaluation] : []
  })
  if (differing.length > 0) {
    await tx.recordAll(
      differing.map(({ existing, state }) => ({
        log: 'webs',
        description: 'updated',
        subject: { type: 'web', id: existing.id },
        ...difference(existing.state, state),
      })),
    )
  }
  return differing
}

/** Keeps customers from being merged away before the transaction ends. @throws ConcurrentUpdateError if one was since the evaluation */
async function lockCustomers(
  { db }: AuditTransaction,
  lines: readonly { readonly state: WebState }[],
): Promise<void> {
  const codes = [...new Set(lines.map(({ state }) => state.customer))]
  await db
    .select({ id: customers.id })
    .from(customers)
    .where(sql`${customers.code} = any(${sql.param(codes)}::text[])`)
    .orderBy(customers.id)
    .for('key share')
  const merged = await readMergedCodes(db)
  if (codes.some((code) => merged.has(code))) throw new ConcurrentUpdateError()
}

/** @throws ConcurrentUpdateError if someone else has added one of them */
async function insertWebs(
  tx: AuditTransaction,
  { nodes: nodeIds }: Inventory,
  lines: readonly (Added & { readonly id: number })[],
): Promise<void> {
  const now = tx.now()
  const rows = lines.map(({ id, ascii, node, state }) => ({
    id,
    ...columnsOf(state),
    fqdn_ascii: ascii,
    node_id: node === null ? null : (nodeIds.get(node) ?? null),
    created_at: now,
    updated_at: now,
  }))
  rows.sort((a, b) => (a.fqdn_ascii < b.fqdn_ascii ? -1 : 1))
  await mapUniqueViolation({ webs_active_fqdn: () => new ConcurrentUpdateError() }, () =>
    insertWithIds(tx.db, webs, rows),
  )
}

async function updateWebs(tx: AuditTransaction, lines: readonly Changed[]): Promise<void> {
  const rows = lines.map(({ existing, state }) => ({
    id: existing.id,
    ...columnsOf(state),
    updated_at: nextUpdatedAt(existing, tx),
  }))
  const [first] = rows
  if (first === undefined) return
  const set = Object.keys(first)
    .filter((name) => name !== 'id')
    .map((name): SQL => sql`${sql.identifier(name)} = changed.${sql.identifier(name)}`)
  await tx.db.execute(sql`
    update ${webs} set ${sql.join(set, sql`, `)}
    from json_populate_recordset(null::${webs}, ${storableJson(rows)}) changed where ${webs.id} = changed.id`)
}

function columnsOf({ categories: _, monitoring_web_active: active, ...columns }: WebState) {
  return { ...columns, monitoring_web_active: active === 1 }
}
