import type { IncidentEntry } from '@kustos/contract/incidents'
import { incidents, webs } from '@kustos/database/tables'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { isVisible, readEntries } from './entries.ts'

/** @throws DomainError not-found, also for that of a deleted web if the acting user may not restore it */
export async function findEntry(scope: Scope, id: number): Promise<IncidentEntry> {
  const [entry] = await readEntries(scope, sql`select ${id}::int as id`)
  if (entry === undefined) throw notFound('incident_not_found', { id })
  return entry
}

/** @throws DomainError not-found for the first that `findEntry` would not find */
export async function assertFound(scope: Scope, ids: readonly number[]): Promise<void> {
  const entries = await readEntries(scope, sql`select unnest(${sql.param(ids)}::int[]) as id`)
  const found = new Set(entries.map(({ id }) => id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw notFound('incident_not_found', { id: missing })
}

/** At most this many members of an outage are shown. */
const maxMembers = 1_000

/** The incidents of webs: of an outage those of its members, as far as the acting user may see them. */
export const readMembers = (
  scope: Scope,
  { id, web }: Pick<IncidentEntry, 'id' | 'web'>,
): Promise<IncidentEntry[]> =>
  readEntries(
    scope,
    web === null
      ? sql`select m.id from ${incidents} m where m.outage_id = ${id} order by m.id limit ${maxMembers}`
      : sql`select ${id}::int as id`,
  )

/** The webs that incidents are about, and the open members of outages, however many: as far as the acting user may see them. */
export const readOpenMembers = (scope: Scope, ids: readonly number[]) =>
  scope.db
    .select({ web: webs.id, fqdn: webs.fqdn, since: incidents.started_at })
    .from(incidents)
    .innerJoin(webs, eq(webs.id, incidents.web_id))
    .where(
      and(
        or(isAnyOf(incidents.id, ids), isAnyOf(incidents.outage_id, ids)),
        isNull(incidents.ended_at),
        isVisible(scope),
      ),
    )
    .orderBy(incidents.id)

/** The rows of an incident or of an outage's members. */
export const readMemberRows = ({ db }: Pick<Scope, 'db'>, id: number) =>
  db
    .select()
    .from(incidents)
    .where(sql`${or(eq(incidents.id, id), eq(incidents.outage_id, id))} and ${incidents.web_id} is not null`)
    .orderBy(incidents.id)
