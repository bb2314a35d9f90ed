import type { CheckChange, CheckEdits } from '@kustos/contract/checks'
import { checks, type StoredCheck } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { type LoggedChange, rejectOutdatedRevert } from '../platform/logged-change.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { sealHeaders } from './headers.ts'
import { shown } from './merge.ts'
import { applyEdits, isSame } from './stored.ts'
import { type CheckSubject, columns, type FoundSubject, findRow, findSubject } from './subject.ts'

type Row = typeof checks.$inferSelect

/**
 * Replaces the settings of a web, a tag or a customer.
 * @param box seals the headers; null if no key is configured
 * @throws DomainError not-found; conflict if they have changed since `updated_at`; invalid for headers that cannot be stored
 */
export const editCheck = (
  context: Context,
  box: SecretBox | null,
  subject: CheckSubject,
  { updated_at: seen, headers, ...given }: CheckChange,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const found = await findSubject(tx, subject, true)
    const known = await findRow(tx.db, found, true)
    if (known !== null && seen !== undefined)
      await rejectStaleWrite(tx, found, 'check', known.updated_at, seen ?? never, changes)
    const settings = applyEdits({}, given)
    if (known === null && headers == null && isSame(settings, {})) return tx.skipAudit()
    const row = known ?? (await insertRow(tx, found))
    const sealed = headers && sealHeaders(box, row.id, headers, row.settings.headers ?? [])
    const rewritten = headers?.filter(({ value }) => value !== null).map(({ name }) => name) ?? []
    await write(tx, found, row, { ...settings, ...(sealed && { headers: sealed }) }, rewritten)
  })

/** Entries of changes of checks. */
const changes = ['check changed'] as const

/** Of a form that was opened while there were no settings. */
const never = new Date(0).toISOString()

/**
 * Changes some settings of a web in the transaction of the caller.
 * @returns false if nothing changes
 * @throws DomainError not-found
 */
export async function applyCheckEdits(
  tx: AuditTransaction,
  web: number,
  edits: CheckEdits,
): Promise<boolean> {
  const found = await findSubject(tx, { web }, true)
  const known = await findRow(tx.db, found, true)
  const before = known?.settings ?? {}
  const after = applyEdits(before, edits)
  if (isSame(before, after)) {
    tx.skipAudit()
    return false
  }
  await write(tx, found, known ?? (await insertRow(tx, found)), after)
  return true
}

/**
 * Takes a logged change back in the transaction of the caller.
 * @param edits its old values
 * @throws DomainError not-found; conflict if one of the fields has changed since
 */
export async function revertCheck(
  tx: AuditTransaction,
  subject: CheckSubject,
  edits: CheckEdits,
  made: LoggedChange,
): Promise<void> {
  const found = await findSubject(tx, subject, true)
  const row = await findRow(tx.db, found, true)
  const before = row?.settings ?? {}
  await rejectOutdatedRevert(tx, found, { ...shown(before) }, made, changes)
  await write(tx, found, row ?? (await insertRow(tx, found)), applyEdits(before, edits))
}

/** Someone else may insert the same check at this moment, which then fails as stale. */
async function insertRow(tx: AuditTransaction, found: FoundSubject): Promise<Row> {
  const now = tx.now()
  const [row] = await tx.db
    .insert(checks)
    .values({ [columns[found.type]]: found.id, created_at: now, updated_at: now })
    .onConflictDoNothing()
    .returning()
  if (row) return row
  const other = await findRow(tx.db, found, true)
  await rejectStaleWrite(tx, found, 'check', other?.updated_at ?? now, never, changes)
  throw new Error('The check was not inserted')
}

/** @param rewritten names of headers with a new value, which the log does not have */
async function write(
  tx: AuditTransaction,
  { type, id }: FoundSubject,
  row: Row,
  settings: StoredCheck,
  rewritten: readonly string[] = [],
): Promise<void> {
  if (isSame(row.settings, settings)) return tx.skipAudit()
  await tx.db
    .update(checks)
    .set({ settings, updated_at: nextUpdatedAt(row, tx) })
    .where(eq(checks.id, row.id))
  const changed = difference(shown(row.settings), shown(settings))
  await tx.record({
    ...entriesOf('checks', type)('check changed', id),
    old: { ...changed?.old },
    attributes: { ...changed?.attributes, ...(rewritten.length > 0 && { header_values: rewritten }) },
  })
}
