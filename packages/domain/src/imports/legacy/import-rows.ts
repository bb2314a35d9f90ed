import { eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type AuditTransaction, difference, withAudit } from '../../platform/audit.ts'
import { chunk } from '../../platform/chunk.ts'
import type { Context } from '../../platform/context.ts'
import { claimIds, insertWithIds, type Numbered } from './ids.ts'
import type { LegacyPart, LegacyReport } from './report.ts'

/** The state that all parts of the import share. */
export interface Run {
  readonly context: Context
  /** The origin of the former system, for the audit log. */
  readonly source: string
  /** Whether existing rows take the values of the source. */
  readonly overwrite: boolean
  readonly report: LegacyReport
}

export interface SourceRow {
  /** Null if it is unknown. */
  readonly id: number | null
}

export interface ExistingRow {
  readonly id: number
  readonly isDeleted?: boolean
}

export type Values = Readonly<Record<string, unknown>>

/** How the rows of a table are imported. */
export interface RowImport<Row extends SourceRow, Existing extends ExistingRow> {
  readonly part: LegacyPart
  readonly table: Numbered
  /** The subject type of each row's audit log entry; null if there is one entry for all rows. */
  readonly subject: string | null
  /** Identifies a row in both systems. */
  readonly key: (row: Row) => string
  readonly name: (row: Row) => string
  /** Applies to the rows what has changed here since the list was read. Nobody else writes to the table meanwhile. */
  readonly bringUpToDate?: (tx: AuditTransaction, rows: readonly Row[]) => Promise<readonly Row[]>
  /** The existing rows with these keys, by key. */
  readonly find: (tx: AuditTransaction, rows: readonly Row[]) => Promise<ReadonlyMap<string, Existing>>
  /** The columns of a new row. */
  readonly columns: (row: Row, now: Date) => Values
  /** The values that are compared with an existing row and logged. */
  readonly importedValues: (row: Row, existing: Existing | null) => Values
  readonly existingValues: (existing: Existing) => Values
  /** Inserts what belongs to new rows. */
  readonly link?: (
    tx: AuditTransaction,
    added: readonly { readonly id: number; readonly row: Row }[],
  ) => Promise<void>
  /** Writes values of `importedValues` to an existing row; null if Kustos alone decides on them. */
  readonly update:
    | ((tx: AuditTransaction, existing: Existing, row: Row, values: Values) => Promise<void>)
    | null
  /** The values of `importedValues` that stay even if rows are overwritten. */
  readonly fixed?: (existing: Existing) => readonly string[]
  /** The values of `importedValues` that are too long for the log. */
  readonly unlogged?: readonly string[]
}

/** A kind whose rows have the columns of their table. */
export interface TableImport<Row extends SourceRow>
  extends Pick<
    RowImport<Row, ExistingRow>,
    'part' | 'table' | 'subject' | 'key' | 'name' | 'bringUpToDate' | 'columns'
  > {
  /** The column that has the key. */
  readonly column: PgColumn
  /** The columns that are compared with an existing row, unless the source lacks their value. */
  readonly compared: readonly (keyof Row & string)[]
}

export const tableImport = <Row extends SourceRow>({
  column,
  compared,
  ...kind
}: TableImport<Row>): RowImport<Row, ExistingRow & Values> => ({
  ...kind,
  async find({ db }, rows) {
    const found = await db
      .select()
      .from(kind.table)
      .where(inArray(column, rows.map(kind.key)))
    return new Map(found.map((row) => [String(row[column.name]), row as ExistingRow & Values]))
  },
  importedValues: (row) =>
    Object.fromEntries(compared.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]]))),
  existingValues: (existing) => Object.fromEntries(compared.map((name) => [name, existing[name]])),
  update: updateColumns(kind.table),
})

/** Writes the values to the columns of their names. */
export const updateColumns =
  (table: Numbered): RowImport<SourceRow, ExistingRow>['update'] =>
  async ({ db, now }, { id }, _, values) => {
    await db
      .update(table)
      .set({ ...values, updated_at: now() })
      .where(eq(table.id, id))
  }

/**
 * Imports the rows of a table: adds the missing ones, with their former ids if these are free, and compares the others.
 * Each transaction imports a thousand rows with their log entries, so the next run continues after a failure.
 * @returns the ids of the rows in Kustos, by key
 */
export async function importRows<Row extends SourceRow, Existing extends ExistingRow>(
  run: Run,
  kind: RowImport<Row, Existing>,
  sourceRows: readonly Row[],
): Promise<ReadonlyMap<string, number>> {
  const { report } = run
  // An empty list is reported as well.
  report.count(kind.part, 'added', 0)
  const wanted = new Map<string, Row>()
  for (const row of sourceRows) {
    const key = kind.key(row)
    if (wanted.has(key))
      report.problem(
        kind.part,
        `${kind.name(row)} appears twice in the list; only the first row was imported.`,
      )
    else wanted.set(key, row)
  }
  const rows = [...wanted.values()]
  const all = rows.map(({ id }) => id)
  const ids = new Map<string, number>()
  for (const batch of chunk(rows)) {
    const imported = await withAudit(run.context, (tx) => importChunk(run, kind, tx, batch, all))
    for (const [key, id] of imported) ids.set(key, id)
    if (rows.length > batch.length) report.progress(kind.part, `${ids.size} of ${rows.length}`)
  }
  return ids
}

/** @param all every id in the source @returns the ids of the rows in Kustos, by key */
async function importChunk<Row extends SourceRow, Existing extends ExistingRow>(
  run: Run,
  kind: RowImport<Row, Existing>,
  tx: AuditTransaction,
  listed: readonly Row[],
  all: readonly (number | null)[],
): Promise<ReadonlyMap<string, number>> {
  const { source, report } = run
  const { part, subject } = kind
  // Writers wait for the end of this transaction; readers do not.
  await tx.db.execute(sql`lock table ${kind.table} in exclusive mode`)
  const rows = (await kind.bringUpToDate?.(tx, listed)) ?? listed
  const existing = await kind.find(tx, rows)
  const missing = rows.filter((row) => !existing.has(kind.key(row)))
  const claimed = await claimIds(
    tx.db,
    kind.table,
    missing.map(({ id }) => id),
    all,
  )
  const added = missing.flatMap((row, index) => {
    const id = claimed[index]
    return id === undefined ? [] : [{ id, row }]
  })
  const now = tx.now()
  await insertWithIds(
    tx.db,
    kind.table,
    added.map(({ id, row }) => ({ ...kind.columns(row, now), id })),
  )
  await kind.link?.(tx, added)
  const ids = new Map(added.map(({ id, row }) => [kind.key(row), id]))
  if (subject !== null && added.length > 0) {
    await tx.recordAll(
      added.map(({ id, row }) => ({
        log: 'imports',
        description: 'imported',
        subject: { type: subject, id },
        attributes: { ...logged(kind.importedValues(row, null), kind), source, former_id: row.id },
      })),
    )
  }
  let changed = 0
  for (const row of rows) {
    const found = existing.get(kind.key(row))
    if (found === undefined) continue
    ids.set(kind.key(row), found.id)
    if (await compareRow(run, kind, tx, found, row)) changed++
  }
  report.count(part, 'added', added.length)
  report.count(part, 'changed', changed)
  if (added.length + changed === 0) tx.skipAudit()
  else if (subject === null) {
    const attributes = { source, added: added.length, changed }
    await tx.record({ log: 'imports', description: `${part} imported`, attributes })
  }
  return ids
}

/** @returns whether the row was changed */
async function compareRow<Row extends SourceRow, Existing extends ExistingRow>(
  { source, overwrite, report }: Run,
  kind: RowImport<Row, Existing>,
  tx: AuditTransaction,
  existing: Existing,
  row: Row,
): Promise<boolean> {
  const { part, subject, update } = kind
  const fixed = kind.fixed?.(existing) ?? []
  const stays = (why: string) => {
    report.count(part, 'differing', 1)
    report.note(part, `${kind.name(row)} ${why}`)
  }
  if (existing.isDeleted) {
    stays('was deleted here and stays deleted.')
    return false
  }
  const imported = kind.importedValues(row, existing)
  const old = kind.existingValues(existing)
  const differs = (values: Values) => difference<Values>(old, values)?.attributes ?? {}
  const differing = Object.keys(differs(imported))
  if (differing.length === 0) {
    report.count(part, 'unchanged', 1)
    return false
  }
  const written = overwrite && update !== null ? differing.filter((name) => !fixed.includes(name)) : []
  const kept = differing.filter((name) => !written.includes(name))
  if (kept.length > 0) stays(`differs here in ${kept.join(', ')} and stays unchanged.`)
  if (written.length === 0 || update === null) return false
  const pick = (from: Values) => Object.fromEntries(written.map((name) => [name, from[name]]))
  await update(tx, existing, row, pick(imported))
  if (subject !== null) {
    await tx.record({
      log: 'imports',
      description: 'imported again',
      subject: { type: subject, id: existing.id },
      attributes: { ...logged(pick(imported), kind), source },
      old: logged(pick(old), kind),
    })
  }
  return true
}

const logged = (values: Values, { unlogged = [] }: { readonly unlogged?: readonly string[] }): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !unlogged.includes(name)))
