import type { IncidentDetails } from '@kustos/contract/incidents'
import { incidentReports, users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import {
  computeDownSpans,
  computePlannedSpans,
  floorToSecondMs,
  overlapSeconds,
  readTimes,
} from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { readPrecedingDeployment } from './deployment.ts'
import { findEntry, readMemberRows, readMembers } from './find.ts'

/** @throws DomainError not-found, also for that of a deleted web if the acting user may not restore it */
export async function readIncident(context: Context, id: number): Promise<IncidentDetails> {
  const entry = await findEntry(context, id)
  const report = await readReport(context, id)
  const outage = entry.outage_id === null ? null : await findEntry(context, entry.outage_id)
  return {
    ...entry,
    ...(await readDowntime(context, id)),
    outage: outage && { id: outage.id, node: outage.node },
    entries: entry.web === null ? await readMembers(context, entry) : [],
    ...(await readPrecedingDeployment(context, entry, report?.row)),
    post_mortem: report === null ? null : presentPostMortem(report),
  }
}

async function readReport({ db }: Context, id: number) {
  const [found] = await db
    .select({ row: incidentReports, email: users.email })
    .from(incidentReports)
    .leftJoin(users, eq(users.id, incidentReports.post_mortem_by))
    .where(eq(incidentReports.incident_id, id))
  return found ?? null
}

function presentPostMortem({
  row: { post_mortem: text, post_mortem_at: at, post_mortem_by: by },
  email,
}: NonNullable<Awaited<ReturnType<typeof readReport>>>): IncidentDetails['post_mortem'] {
  if (text === null || at === null) return null
  const updated_by = by === null || email === null ? null : { id: by, email }
  return { text, updated_at: at.toISOString(), updated_by }
}

/** In whole seconds up to now: of an outage, for how long any of its webs was down, and how much of that was planned for one of them. */
async function readDowntime({ db, now }: Context, id: number) {
  const rows = await readMemberRows({ db }, id)
  const timesOf = await readTimes(db, rows)
  const times = rows.map(timesOf)
  const passed = { from: -Infinity, to: floorToSecondMs(now()) }
  return {
    downtime: overlapSeconds(computeDownSpans(times), passed),
    planned: overlapSeconds(computePlannedSpans(times), passed),
  }
}
