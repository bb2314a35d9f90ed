import type { Check } from '@kustos/contract/checks'
import { sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { mergeLevels, shown } from './merge.ts'
import { readLevels } from './stored.ts'
import { type CheckSubject, findRow, findSubject } from './subject.ts'

/** @throws DomainError not-found, also for deleted webs unless the user may restore them */
export async function readCheck(context: Context, subject: CheckSubject): Promise<Check> {
  const { db } = context
  const found = await findSubject(context, subject, false)
  const [row, levels] = await Promise.all([
    findRow(db, found, false),
    found.type === 'web' ? readLevels(db, sql`array[${found.id}::int]`) : null,
  ])
  const own = row === null ? [] : [{ kind: found.type, name: found.name, id: row.id, settings: row.settings }]
  return {
    own: shown(row?.settings ?? {}),
    ...mergeLevels(levels === null ? own : (levels.get(found.id) ?? [])),
    updated_at: row?.updated_at.toISOString() ?? null,
  }
}
