import { nodes, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { change, difference } from '../../audit.ts'
import type { Context } from '../../context.ts'
import { isHalfMade } from '../../deployment/index.ts'
import { type Inspected, noteFacts } from '../../inspections/index.ts'
import { withFramework } from './framework.ts'
import { type Learnt, learn, type RefreshTools } from './learn.ts'

export type { RefreshTools } from './learn.ts'

export interface RefreshOptions {
  /** The user who asked for it; null where the schedule did. */
  readonly requestedBy: number | null
  /** Ends it early; nothing of it is kept then. */
  readonly signal: AbortSignal
}

/**
 * Learns anew what Plesk, name servers, the certificate and the page tell of a web. What could not be learnt stays as it
 * was, and the rest is kept.
 * @throws the signal's reason
 */
export async function refreshWeb(
  context: Context,
  tools: RefreshTools,
  webId: number,
  { requestedBy, signal }: RefreshOptions,
): Promise<Inspected> {
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
  return await change(context, async (inside): Promise<Inspected> => {
    const [row] = await inside.db.select().from(webs).where(eq(webs.id, webId)).for('no key update')
    const isSame =
      row?.fqdn_ascii === web.host && row.configured_ip === web.configured_ip && row.node_id === web.node_id
    if (!row || row.deleted_at !== null || !isSame) {
      inside.unchanged()
      return row?.deleted_at === null ? moved : gone
    }
    await noteFacts(
      inside.db,
      webId,
      inside.now(),
      learnt.map(({ fact, seen, problems, remark = [] }) => ({
        fact,
        seen,
        error: problems.concat(remark).join(' ') || null,
      })),
    )
    const [before, after] = beforeAndAfter(row, learnt)
    const half = inside.db
      .select({ id: webs.id })
      .from(webs)
      .where(and(eq(webs.id, webId), isHalfMade))
    if (row.status === null && (await half).length > 0) delete after.status
    const changed = difference(before, after)
    if (changed === null) inside.unchanged()
    else {
      // Each write has every list of webs read anew. The time of a change by staff stays: theirs is not overwritten.
      await inside.db.update(webs).set(changed.attributes).where(eq(webs.id, webId))
      if (requestedBy === null && Object.keys(changed.attributes).every((column) => moving.has(column)))
        inside.unchanged()
      else
        await inside.record({
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

const gone: Inspected = { state: 'failed', problems: ['The web was deleted meanwhile.'] }
const moved: Inspected = {
  state: 'failed',
  problems: ['The web was given another name, address or node meanwhile.'],
}

/** What moves by itself from day to day: nobody looks for it in a log. */
const moving: ReadonlySet<string> = new Set(['disk_usage', 'http_status_code', 'cert_ca', 'cert_expiration'])

type Row = typeof webs.$inferSelect

/** The columns that were learnt, as they were and as they are. */
function beforeAndAfter(row: Row, learnt: readonly Learnt[]): [Partial<Row>, Partial<Row>] {
  const framework = learnt.flatMap((one) => one.framework ?? [])[0]
  const told: Partial<Row> = {
    ...Object.assign({}, ...learnt.map(({ columns }) => columns)),
    ...(framework && withFramework(row, framework)),
  }
  // In another order they are the same.
  for (const list of ['sites', 'aliases'] as const)
    if (told[list] && namesIn(told[list]) === namesIn(row[list])) told[list] = row[list]
  return [row, told]
}

const namesIn = (hosts: readonly { fqdn: string }[]) =>
  hosts
    .map(({ fqdn }) => fqdn.toLowerCase())
    .sort()
    .join(' ')

function outcomeOf(learnt: readonly Learnt[]): Inspected {
  const problems = [...new Set(learnt.flatMap((one) => one.problems))]
  if (problems.length === 0) return { state: 'succeeded', problems }
  return { state: learnt.some(({ seen }) => seen) ? 'partial' : 'failed', problems }
}
