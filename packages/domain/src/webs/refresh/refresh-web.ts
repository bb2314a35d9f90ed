import { message } from '@kustos/contract/messages'
import { domainStatus, webStatus } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { nodes, webFacts, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { findWebOfSystemUser, isProvisioning } from '../../deployment/index.ts'
import { markDomainDue } from '../../domains/index.ts'
import { type InspectionResult, storeFactChecks } from '../../inspections/index.ts'
import { lockDomainMove, noteDomainMoved, noteDomainReturned } from '../../monitoring/index.ts'
import { difference, withAudit } from '../../platform/audit.ts'
import type { Context, Scope } from '../../platform/context.ts'
import { checkFacts, type FactResult, type RefreshTools } from './fact-results.ts'
import { mergeFramework } from './framework.ts'

export type { RefreshTools } from './fact-results.ts'

export interface RefreshOptions {
  /** The user who requested it; null if it was scheduled. */
  readonly requestedBy: number | null
  /** Ends the refresh without storing anything. */
  readonly signal: AbortSignal
}

/**
 * Updates a web from Plesk, name servers, its certificate and its page. What could not be found out stays unchanged, but a web
 * whose status no panel can tell becomes active once its name leads to it, since only active ones are probed and audited.
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
      domain_status: webs.domain_status,
      cert_expiration: webs.cert_expiration,
      node_id: webs.node_id,
      node: nodes,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
  if (!web) return deleted
  const checked = await checkFacts(tools, web, signal)
  return await withAudit(context, async (tx): Promise<InspectionResult> => {
    await lockDomainMove(tx.db, webId)
    const [row] = await tx.db.select().from(webs).where(eq(webs.id, webId)).for('no key update')
    const isSame =
      row?.fqdn_ascii === web.host && row.configured_ip === web.configured_ip && row.node_id === web.node_id
    if (!row || row.deleted_at !== null || !isSame) {
      tx.skipAudit()
      return row?.deleted_at === null ? changed : deleted
    }
    const results = await withoutTakenUser(tx, row, web.node?.name ?? '', checked)
    const notes = results.map(({ fact, seen, problems, remark = [] }) => ({
      fact,
      seen,
      problems: problems.concat(remark),
    }))
    const wasRenamed = await isRenamed(tx.db, webId)
    await storeFactChecks(tx.db, webId, tx.now(), notes)
    if (requestedBy !== null) await markDomainDue(tx.db, row.fqdn_ascii, tx.now())
    const after = columnsAfter(row, results)
    if (row.status === null && after.domain_status === domainStatus.online && isWithoutPanel(results))
      after.status = webStatus.active
    if (row.status === null && 'status' in after) {
      const provisioning = await tx.db
        .select({ id: webs.id })
        .from(webs)
        .where(and(eq(webs.id, webId), isProvisioning))
      if (provisioning.length > 0) delete after.status
    }
    const changes = difference<Partial<Row>>(row, after)
    if (changes === null) tx.skipAudit()
    else {
      // Each write makes every open list of webs reload. `updated_at` is that of the last change by a user.
      await tx.db.update(webs).set(changes.attributes).where(eq(webs.id, webId))
      await noteMove(tx, row, results, wasRenamed)
      if (requestedBy === null && Object.keys(changes.attributes).every((column) => volatile.has(column)))
        tx.skipAudit()
      else
        await tx.record({
          log: 'webs',
          description: 'refreshed',
          subject: { type: 'web', id: webId },
          ...changes,
          causerId: requestedBy,
        })
    }
    return summarize(results)
  })
}

/** Whether nobody has looked yet where the present name of a web points to. Its status is that of the former name then. */
async function isRenamed(db: Transaction, webId: number): Promise<boolean> {
  const [known] = await db
    .select({ seen_at: webFacts.seen_at })
    .from(webFacts)
    .where(and(eq(webFacts.web_id, webId), eq(webFacts.fact, 'dns')))
  return known?.seen_at === null
}

/** Notes that the domain has moved away or back, for the next evaluation of a round. */
async function noteMove(
  { db, now }: Scope,
  row: Row,
  results: readonly FactResult[],
  wasRenamed: boolean,
): Promise<void> {
  const { columns, pointsTo } = results.find(({ fact }) => fact === 'dns') ?? {}
  const status = columns?.domain_status
  if (status == null || status === row.domain_status) return
  if (status === domainStatus.online) await noteDomainReturned(db, row.id, now())
  else if (row.domain_status === domainStatus.online && !wasRenamed)
    await noteDomainMoved(db, row.id, { at: now(), from: row.configured_ip, to: pointsTo ?? null })
}

/** Whether no panel can tell the status: the web has no node, or the node has no key. */
const isWithoutPanel = (results: readonly FactResult[]) =>
  results.every(({ fact, problems }) => fact !== 'plesk' || problems[0]?.code === 'plesk_key_missing')

/** Leaves a system user to the web that has it already, so that no command reaches files and databases of another web. */
async function withoutTakenUser(
  tx: Scope,
  { fqdn, node_id, sysuser: known }: Row,
  node: string,
  results: readonly FactResult[],
): Promise<readonly FactResult[]> {
  const user = results.find(({ columns }) => columns.sysuser)?.columns.sysuser
  if (!user || user === known || node_id === null) return results
  const owner = await findWebOfSystemUser(tx.db, user, node_id)
  if (owner === null) return results
  return results.map((result) => {
    const { sysuser, ...columns } = result.columns
    if (!sysuser) return result
    const taken = message('plesk_sysuser_taken', { node, user, fqdn, other: owner })
    return { ...result, columns, problems: result.problems.concat(taken) }
  })
}

const deleted: InspectionResult = { state: 'failed', problems: [message('web_deleted_meanwhile')] }
const changed: InspectionResult = { state: 'failed', problems: [message('web_changed_meanwhile')] }

/** These columns change every day and are not worth an audit log entry. */
const volatile: ReadonlySet<string> = new Set([
  'disk_usage',
  'http_status_code',
  'cert_ca',
  'cert_from',
  'cert_expiration',
])

type Row = typeof webs.$inferSelect

function columnsAfter(row: Row, results: readonly FactResult[]): Partial<Row> {
  const framework = results.find((result) => result.framework)?.framework
  const after: Partial<Row> = {
    ...Object.assign({}, ...results.map(({ columns }) => columns)),
    ...(framework && mergeFramework(row, framework)),
  }
  // The order does not matter.
  for (const list of ['sites', 'aliases'] as const)
    if (after[list] && namesIn(after[list]) === namesIn(row[list])) after[list] = row[list]
  return after
}

const namesIn = (hosts: readonly { fqdn: string }[]) =>
  hosts
    .map(({ fqdn }) => fqdn.toLowerCase())
    .sort()
    .join(' ')

function summarize(results: readonly FactResult[]): InspectionResult {
  const problems = new Map(
    results.flatMap((result) => result.problems.map((problem) => [JSON.stringify(problem), problem])),
  )
  if (problems.size === 0) return { state: 'succeeded', problems: [] }
  return { state: results.some(({ seen }) => seen) ? 'partial' : 'failed', problems: [...problems.values()] }
}
