import type { InspectionKind } from '@kustos/contract/inspections'
import type { Transaction } from '@kustos/database/client'
import { inspections } from '@kustos/database/tables'
import type { RequestedInspection } from './jobs.ts'

/** Inserts inspections of webs, without those of which one is waiting or running. */
export async function insertScheduled(
  db: Transaction,
  kind: InspectionKind,
  due: readonly { readonly id: number; readonly fqdn: string }[],
  now: Date,
): Promise<RequestedInspection[]> {
  if (due.length === 0) return []
  const rows = await db
    .insert(inspections)
    .values(due.map(({ id }) => ({ web_id: id, kind, created_at: now })))
    .onConflictDoNothing()
    .returning({ id: inspections.id, web_id: inspections.web_id })
  const names = new Map(due.map(({ id, fqdn }) => [id, fqdn]))
  return rows.map((row) => ({ ...row, kind, fqdn: names.get(row.web_id) ?? '' }))
}
