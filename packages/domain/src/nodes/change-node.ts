import { replaceConditions } from '@kustos/contract/grid'
import { message } from '@kustos/contract/messages'
import type { NewNode, NodeChange, NodeDetails } from '@kustos/contract/nodes'
import { deployments, nodes, webs } from '@kustos/database/tables'
import { arrayContains, eq } from 'drizzle-orm'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import { findConditionUse } from '../platform/condition-use.ts'
import type { Context, Scope } from '../platform/context.ts'
import { conflict, invalid, mapUniqueViolation, notFound } from '../platform/errors.ts'
import { sealPanelKey } from '../platform/panel-key.ts'
import { rewriteViews } from '../platform/rewrite-views.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { lockGivenTags } from '../tags/index.ts'
import { readNodes } from './list.ts'

const subject = (id: number) => ({ type: 'node', id })
const entry = entriesOf('nodes', 'node')

/**
 * Adds a node.
 * @param box null if no key for secrets is configured
 * @throws DomainError invalid for a taken name, for a key of the panel without a box, and for tags as of webs
 */
export const createNode = (
  context: Context,
  box: SecretBox | null,
  { plesk_key: key, ...given }: NewNode,
): Promise<NodeDetails> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      const { tags, ...facts } = await lockGivenTags(tx, given)
      const input = { ...facts, ...(tags && { tags }) }
      const now = tx.now()
      const [row] = await tx.db
        .insert(nodes)
        .values({ ...input, created_at: now, updated_at: now })
        .returning()
      if (!row) throw new Error('The node was not inserted')
      if (key != null)
        await tx.db
          .update(nodes)
          .set({ plesk_key: sealPanelKey(box, row.id, key) })
          .where(eq(nodes.id, row.id))
      await tx.record({ ...entry('created', row.id), attributes: { ...input, ...(key != null && stored) } })
      return await presented(tx, row.id)
    }),
  )

/**
 * Changes a node. Workers use the changes with their next command or call, and saved views follow its name.
 * @throws DomainError not-found; conflict if it has changed since `updated_at`; invalid as for createNode, and if the panel changes
 * whose key is stored and no key is given
 */
export const editNode = (
  context: Context,
  box: SecretBox | null,
  id: number,
  { updated_at: seen, plesk_key: key, ...given }: NodeChange,
): Promise<void> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      const { tags, ...facts } = await lockGivenTags(tx, given)
      const input = { ...facts, ...(tags && { tags }) }
      const row = await lock(tx, id)
      await rejectStaleWrite(tx, subject(id), 'node', row.updated_at, seen)
      const changed = difference<Partial<typeof row>>(row, input)
      // Otherwise users who manage nodes could have the key sent to a host of their own.
      if (
        row.plesk_key !== null &&
        key === undefined &&
        panelFields.some((name) => name in (changed?.old ?? {}))
      )
        throw invalid({ plesk_key: message('panel_key_needed_again') })
      // Removing a key that is not there changes nothing.
      const changesKey = key !== undefined && (key !== null || row.plesk_key !== null)
      if (changed === null && !changesKey) return tx.skipAudit()
      const sealed = key == null ? null : sealPanelKey(box, id, key)
      // Before the node is written, whose triggers lock the revision of the list of webs.
      if (changed?.attributes.name !== undefined)
        await rewriteNodeViews(tx, row.name, changed.attributes.name)
      await tx.db
        .update(nodes)
        .set({ ...input, ...(changesKey && { plesk_key: sealed }), updated_at: nextUpdatedAt(row, tx) })
        .where(eq(nodes.id, id))
      await tx.record({
        ...entry('updated', id),
        old: { ...changed?.old },
        attributes: { ...changed?.attributes, ...(changesKey && (sealed === null ? removed : stored)) },
      })
    }),
  )

/**
 * @throws DomainError not-found; conflict while webs, also deleted ones, or deployments belong to it, and while an alert route or a
 * maintenance window uses it, which would match everything or nothing without it
 */
export const deleteNode = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const { plesk_key: _, created_at: _created, updated_at: _updated, id: _id, ...old } = await lock(tx, id)
    const uses = [
      await tx.db.select({ id: webs.id }).from(webs).where(eq(webs.node_id, id)).limit(1),
      await tx.db
        .select({ id: deployments.id })
        .from(deployments)
        .where(eq(deployments.node_id, id))
        .limit(1),
    ]
    if (uses.flat().length > 0) throw conflict('node_in_use')
    const use = await findConditionUse(tx.db, ({ node_ids }) => arrayContains(node_ids, [id]), tx.now())
    if (use !== null)
      throw 'route' in use ? conflict('node_used_by_route', use) : conflict('node_used_by_window', use)
    await tx.db.delete(nodes).where(eq(nodes.id, id))
    await tx.record({ ...entry('deleted', id), old })
  })

/** Of all lists whose rows are on nodes. */
const column = { key: 'node', kind: 'select' } as const

/** Makes saved views that filter by a node filter by its new name. */
const rewriteNodeViews = (tx: AuditTransaction, from: string, to: string): Promise<void> =>
  rewriteViews(
    tx,
    ['f.node'],
    (_, query) =>
      replaceConditions(query, column, (condition) =>
        condition.values.includes(from)
          ? { ...condition, values: condition.values.map((name) => (name === from ? to : name)) }
          : condition,
      ),
    { node: `${from} → ${to}` },
  )

/** To whom the panel's key is sent. */
const panelFields = ['plesk_fqdn', 'plesk_port', 'plesk_certificate']

/** Log attributes about the panel's key. */
const stored = { panel_key: 'stored' }
const removed = { panel_key: 'removed' }

async function lock(tx: Scope, id: number) {
  const [row] = await tx.db.select().from(nodes).where(eq(nodes.id, id)).for('update')
  if (!row) throw notFound('node_not_found', { id })
  return row
}

async function presented(tx: Scope, id: number): Promise<NodeDetails> {
  const [node] = await readNodes(tx.db, id)
  if (!node) throw new Error(`Node ${id} disappeared during its own change`)
  return node
}

const withFreeName = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation({ nodes_name_unique: () => invalid({ name: message('node_name_taken') }) }, work)
