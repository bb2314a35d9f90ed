import type { InspectionKind } from '@kustos/contract/inspections'
import { inspections, webs } from '@kustos/database/tables'
import { asc, eq, inArray, lt } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { type InspectionTools, inspectionJob, jobIdOf, runInspection } from './jobs.ts'

/** Looked at in one run. */
const most = 1_000

/**
 * Hands over inspections that have no job: where it could not be handed over, what the job queue forgot, and what a
 * worker left that died. A second job of one that is under way does nothing.
 */
export async function sweepInspections(
  { db }: Pick<Context, 'db'>,
  { queues }: Pick<InspectionTools, 'queues'>,
): Promise<{ readonly handedOver: number } | null> {
  const rows = await db
    .select({ id: inspections.id, kind: inspections.kind, web_id: inspections.web_id, fqdn: webs.fqdn })
    .from(inspections)
    .innerJoin(webs, eq(webs.id, inspections.web_id))
    .where(inArray(inspections.state, ['waiting', 'running']))
    .orderBy(asc(inspections.id))
    .limit(most)
  let handedOver = 0
  for (const { kind, ...row } of rows) {
    if (await queues.holds(runInspection.queue, jobIdOf(row.id))) continue
    // The table holds what the contract's kinds wrote.
    await queues.add(inspectionJob({ ...row, kind: kind as InspectionKind }))
    handedOver += 1
  }
  return handedOver === 0 ? null : { handedOver }
}

/** How long inspections are kept after their end, in days; what they learnt stays. */
const kept = 30

/** Removes what is over for long. Not a change that anybody made, so the log keeps no entry of it. */
export async function purgeInspections({ db, now }: Context): Promise<{ readonly inspections: number }> {
  const before = new Date(now().getTime() - kept * 86_400_000)
  const { rowCount } = await db.delete(inspections).where(lt(inspections.ended_at, before))
  return { inspections: rowCount ?? 0 }
}
