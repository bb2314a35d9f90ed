import {
  asBatchNodeAction,
  type BatchAction,
  editedFields,
  type ResolvedBatch,
  type WebEdits,
} from '@kustos/contract/batches'
import { type Message, message } from '@kustos/contract/messages'
import { changeTags } from '@kustos/contract/tags'
import type { Transaction } from '@kustos/database/client'
import { deployments, nodes, webCategories, webs } from '@kustos/database/tables'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { changesCheck, readOwnChecks } from '../checks/index.ts'
import { findActionRefusal } from '../deployment/index.ts'
import { readWebsInMaintenance } from '../maintenance/index.ts'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { visibleWebs } from '../platform/visible-webs.ts'

type WebRow = Awaited<ReturnType<typeof selectWebs>>[number]

export interface SkippedWeb {
  readonly web_id: number
  /** Null for an unknown web. */
  readonly fqdn: string | null
  readonly reason: Message
}

/**
 * Finds out for which webs an action applies. That a batch starts it later and checks again does no harm: this is what users
 * are shown before.
 */
export async function findRefusals(
  context: Pick<Context, 'actor' | 'now'>,
  db: Transaction,
  { action, webs: ids, edits, check }: Pick<ResolvedBatch, 'action' | 'webs' | 'edits' | 'check'>,
): Promise<{ readonly eligible: readonly number[]; readonly skipped: readonly SkippedWeb[] }> {
  const wanted = [...new Set(ids)]
  const found = new Map<number, WebRow>()
  for (const some of chunk(wanted))
    for (const row of await selectWebs(context, db, some)) found.set(row.id, row)
  const underWay = await findUnderWay(db, action, wanted)
  const maintained = action === 'endMaintenance' ? await readWebsInMaintenance(db, context.now()) : null
  const checks = check === undefined ? null : await readOwnChecks(db, wanted)
  const isSameCheck = (id: number) =>
    checks !== null && check !== undefined && !changesCheck(checks.get(id) ?? {}, check)
  const eligible: number[] = []
  const skipped: SkippedWeb[] = []
  for (const id of wanted) {
    const web = found.get(id)
    const reason =
      web === undefined
        ? message('web_not_found', { id })
        : maintained?.has(id) === false
          ? message('web_not_in_maintenance', { fqdn: web.fqdn })
          : (refusalOf(action, web, underWay.has(id), edits) ??
            (isSameCheck(id) ? message('web_unchanged') : null))
    if (reason === null) eligible.push(id)
    else skipped.push({ web_id: id, fqdn: web?.fqdn ?? null, reason })
  }
  return { eligible, skipped }
}

const selectWebs = (context: Pick<Context, 'actor'>, db: Transaction, ids: readonly number[]) =>
  db
    .select({
      id: webs.id,
      fqdn: webs.fqdn,
      deletedAt: webs.deleted_at,
      node: nodes.name,
      isCloudEnabled: nodes.cloud_enabled,
      repository: webs.repository,
      customer: webs.customer,
      configured_ip: webs.configured_ip,
      framework_name: webs.framework_name,
      framework_version: webs.framework_version,
      comment: webs.comment,
      domain_state: webs.domain_state,
      tags: webs.tags,
      monitoring_web_reporting_channel: webs.monitoring_web_reporting_channel,
      monitoring_web_active: sql<number>`${webs.monitoring_web_active}::int`,
      categories: sql<number[]>`array(select ${webCategories.category_id} from ${webCategories}
        where ${webCategories.web_id} = ${webs.id})`,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(inArray(webs.id, [...ids]), visibleWebs(context)))

/** The webs for which such a deployment is waiting or running. */
async function findUnderWay(
  db: Transaction,
  action: BatchAction,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (asBatchNodeAction(action) === null) return new Set()
  const isUnderWay = and(eq(deployments.kind, action), inArray(deployments.state, ['waiting', 'running']))
  const rows = await db.select({ web: deployments.web_id }).from(deployments).where(isUnderWay)
  const wanted = new Set(ids)
  return new Set(rows.flatMap(({ web }) => (web !== null && wanted.has(web) ? [web] : [])))
}

function refusalOf(
  action: BatchAction,
  web: WebRow,
  isUnderWay: boolean,
  edits: WebEdits | undefined,
): Message | null {
  const { fqdn, deletedAt } = web
  if (action === 'restore') return deletedAt === null ? message('web_not_deleted', { fqdn }) : null
  if (deletedAt !== null) return message('web_deleted', { fqdn })
  if (action === 'edit') return edits === undefined || isChange(web, edits) ? null : message('web_unchanged')
  const nodeAction = asBatchNodeAction(action)
  if (nodeAction === null) return null
  return findActionRefusal(nodeAction, web, web.node) ?? (isUnderWay ? message('action_under_way') : null)
}

function isChange(
  web: WebRow,
  { add_categories = [], remove_categories = [], add_tags, remove_tags, ...edits }: WebEdits,
): boolean {
  // Each field has to be selected.
  const row: Readonly<Record<keyof typeof editedFields, unknown>> = web
  const fields = Object.keys(editedFields) as (keyof typeof editedFields)[]
  return (
    add_categories.some((id) => !web.categories.includes(id)) ||
    remove_categories.some((id) => web.categories.includes(id) && !add_categories.includes(id)) ||
    String(changeTags(web.tags, add_tags, remove_tags)) !== String(web.tags) ||
    fields.some((field) => edits[field] !== undefined && row[field] !== edits[field])
  )
}
