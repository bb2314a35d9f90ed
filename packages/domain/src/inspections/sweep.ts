import type { InspectionKind } from '@kustos/contract/inspections'
import { inspections, nodes, webs } from '@kustos/database/tables'
import { and, asc, eq, inArray, isNotNull, lt, max, notInArray, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { enqueueMissingJobs } from '../platform/enqueue-missing-jobs.ts'
import { type InspectionTools, inspectionJob, isUnderWay } from './jobs.ts'

const batchSize = 1_000

/**
 * Enqueues inspections that have lost their job, because it could not be enqueued, the job queue has lost it or the worker
 * has died. A second job of a running inspection does nothing.
 */
export async function sweepInspections(
  { db }: Pick<Context, 'db'>,
  { queues }: Pick<InspectionTools, 'queues'>,
) {
  const rows = await db
    .select({
      id: inspections.id,
      kind: inspections.kind,
      web_id: inspections.web_id,
      fqdn: sql<string>`coalesce(${webs.fqdn}, ${nodes.name})`,
    })
    .from(inspections)
    .leftJoin(webs, eq(webs.id, inspections.web_id))
    .leftJoin(nodes, eq(nodes.id, inspections.node_id))
    .where(isUnderWay)
    // First those that somebody waits for, as for a test of a node on the command line, which enqueues no job: there may be thousands
    // of others.
    .orderBy(
      sql`${inspections.node_id} is null`,
      sql`${inspections.requested_by} is null`,
      asc(inspections.id),
    )
    .limit(batchSize)
  return enqueueMissingJobs(
    queues,
    rows.map((row) => ({
      ...inspectionJob({ ...row, kind: row.kind as InspectionKind }),
      isUrgent: row.web_id === null,
    })),
    { promote: true },
  )
}

/** What they find in webs is kept elsewhere. */
const retentionDays = 30
/** Few enough that a statement ends long before its timeout. */
const purgedAtOnce = 10_000

export async function purgeInspections({ db, now }: Context): Promise<{ readonly inspections: number }> {
  const before = new Date(now().getTime() - retentionDays * 86_400_000)
  // The last ones of a node say when it was read, what its connection is like, and that it is to be read again.
  const lastOfNodes = db
    .select({ id: max(inspections.id) })
    .from(inspections)
    .where(isNotNull(inspections.node_id))
    .groupBy(inspections.node_id, inspections.kind, inspections.state)
  const oldest = db
    .select({ id: inspections.id })
    .from(inspections)
    .where(and(lt(inspections.ended_at, before), notInArray(inspections.id, lastOfNodes)))
    .orderBy(asc(inspections.ended_at))
    .limit(purgedAtOnce)
  for (let purged = 0; ; ) {
    const { rowCount } = await db.delete(inspections).where(inArray(inspections.id, oldest))
    purged += rowCount ?? 0
    if ((rowCount ?? 0) < purgedAtOnce) return { inspections: purged }
  }
}
