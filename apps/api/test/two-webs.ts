import { inspections, logEntries, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { and, eq, inArray } from 'drizzle-orm'

/** Replaces all webs by one and a deleted one. @returns their ids, in this order */
export async function insertTwoWebs({ db }: TestDatabase, deletedAt: Date): Promise<[number, number]> {
  await db.delete(inspections)
  await db.delete(webs)
  const row = { customer: 'ALPEN', configured_ip: '192.0.2.7' }
  const [web, deleted] = await db
    .insert(webs)
    .values([
      { ...row, fqdn: 'hotel.test', fqdn_ascii: 'hotel.test' },
      { ...row, fqdn: 'gone.test', fqdn_ascii: 'gone.test', deleted_at: deletedAt },
    ])
    .returning({ id: webs.id })
  return [web?.id ?? 0, deleted?.id ?? 0]
}

export const listWebEntries = ({ db }: TestDatabase, ids: readonly number[]) =>
  db
    .select()
    .from(logEntries)
    .where(and(eq(logEntries.subject_type, 'web'), inArray(logEntries.subject_id, [...ids])))
