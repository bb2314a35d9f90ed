import { nodes, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { isProvisioning } from '../../deployment/index.ts'
import { type InspectionResult, noteFacts } from '../../inspections/index.ts'
import { difference, withAudit } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import { type Learnt, learn, type RefreshTools } from './fact-results.ts'
import { withFramework } from './framework.ts'

export type { RefreshTools } from './fact-results.ts'

export interface RefreshOptions {
  /** The user who requested it; null if it was scheduled. */
  readonly requestedBy: number | null
  /** Ends the refresh without storing anything. */
  readonly signal: AbortSignal
}

/**
 * Updates a web by Plesk, name servers, its certificate and its page. What could not be found out stays unchanged.
 * @throws the signal's reason
 */
export async function refreshWeb(
  context: Context,
  tools: RefreshTools,
  webId: number,
  { requestedBy, signal }: RefreshOptions,
): Promise<InspectionResult> {
  const [web] = await context.db
    .select({
      host: webs.fqdn_ascii,
      configured_ip: webs.configured_ip,
      node_id: webs.node_id,
      node: { name: nodes.name, plesk_fqdn: nodes.plesk_fqdn, address: nodes.address },
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
  if (!web) return gone
  const learnt = await learn(tools, web, signal)
  return await withAudit(context, async (tx): Promise<InspectionResult> => {
    const [row] = await tx.db.select().from(webs).where(eq(webs.id, webId)).for('no key update')
    const isSame =
      row?.fqdn_ascii === web.host && row.configured_ip === web.configured_ip && row.node_id === web.node_id
    if (!row || row.deleted_at !== null || !isSame) {
      tx.skipAudit()
      return row?.deleted_at === null ? moved : gone
    }
    await noteFacts(
      tx.db,
      webId,
      tx.now(),
      learnt.map(({ fact, seen, problems, remark = [] }) => ({
        fact,
        seen,
        error: problems.concat(remark).join(' ') || null,
      })),
    )
    const [before, after] = beforeAndAfter(row, learnt)
    const half = tx.db
      .select({ id: webs.id })
      .from(webs)
      .where(and(eq(webs.id, webId), isProvisioning))
    if (row.status === null && (await half).length > 0) delete after.status
    const changed = difference(before, after)
    if (changed === null) tx.skipAudit()
    else {
      // Each write makes every open list of webs reload. `updated_at` is that of the last change by a user.
      await tx.db.update(webs).set(changed.attributes).where(eq(webs.id, webId))
      if (requestedBy === null && Object.keys(changed.attributes).every((column) => moving.has(column)))
        tx.skipAudit()
      else
        await tx.record({
          log: 'webs',
          description: 'refreshed',
          subject: { type: 'web', id: webId },
          ...changed,
          ...(requestedBy !== null && { causerId: requestedBy }),
        })
    }
    return outcomeOf(learnt)
  })
}

const gone: InspectionResult = { state: 'failed', problems: ['The web was deleted meanwhile.'] }
const moved: InspectionResult = {
  state: 'failed',
  problems: ['The web was given another name, address or node meanwhile.'],
}

/** These columns change every day and are not worth an audit log entry. */
const moving: ReadonlySet<string> = new Set(['disk_usage', 'http_status_code', 'cert_ca', 'cert_expiration'])

type Row = typeof webs.$inferSelect

/** The columns that were found out, before and after. */
function beforeAndAfter(row: Row, learnt: readonly Learnt[]): [Partial<Row>, Partial<Row>] {
  const framework = learnt.flatMap((one) => one.framework ?? [])[0]
  const told: Partial<Row> = {
    ...Object.assign({}, ...learnt.map(({ columns }) => columns)),
    ...(framework && withFramework(row, framework)),
  }
  // The order does not matter.
  for (const list of ['sites', 'aliases'] as const)
    if (told[list] && namesIn(told[list]) === namesIn(row[list])) told[list] = row[list]
  return [row, told]
}

const namesIn = (hosts: readonly { fqdn: string }[]) =>
  hosts
    .map(({ fqdn }) => fqdn.toLowerCase())
    .sort()
    .join(' ')

function outcomeOf(learnt: readonly Learnt[]): InspectionResult {
  const problems = [...new Set(learnt.flatMap((one) => one.problems))]
  if (problems.length === 0) return { state: 'succeeded', problems }
  return { state: learnt.some(({ seen }) => seen) ? 'partial' : 'failed', problems }
}
