import { sql } from 'drizzle-orm'
import { type Change, change, difference } from '../../audit.ts'
import type { Context } from '../../context.ts'
import { portions } from '../../portions.ts'
import { claimIds, insertWithIds, type Numbered } from './ids.ts'
import type { LegacyPart, LegacyReport } from './report.ts'

/** One import, as every part of it needs it. */
export interface Run {
  readonly context: Context
  /** The origin of the former system, for the log. */
  readonly source: string
  /** Whether rows that are there take the source's values. */
  readonly overwrite: boolean
  readonly report: LegacyReport
}

/** A row that Kustos has. */
export interface Found {
  readonly id: number
  /** Whether staff have deleted it here. */
  readonly isGone?: boolean
}

type Values = Readonly<Record<string, unknown>>

/** How the rows of a table are taken. */
export interface Kind<Row extends { readonly id: number | null }, There extends Found> {
  readonly part: LegacyPart
  readonly table: Numbered
  /** What a log entry for each row is about; null where one entry stands for all. */
  readonly subject: string | null
  /** What makes two rows the same one. */
  readonly key: (row: Row) => string
  readonly name: (row: Row) => string
  /** The rows of these keys that are there, by key. */
  readonly find: (inside: Change, rows: readonly Row[]) => Promise<ReadonlyMap<string, There>>
  /** What is written of a row that is added. */
  readonly columns: (row: Row, now: Date) => Values
  /** What is told of a row, for the log, and compared where it is there. */
  readonly told: (row: Row, there: There | null) => Values
  readonly toldThere: (there: There) => Values
  /** What else belongs to rows that were added. */
  readonly link?: (
    inside: Change,
    added: readonly { readonly id: number; readonly row: Row }[],
  ) => Promise<void>
  /** Writes values of `told` to a row that is there; null where Kustos alone decides. */
  readonly update: ((inside: Change, there: There, row: Row, values: Values) => Promise<void>) | null
  /** What of `told` stays as it is even where rows are overwritten. */
  readonly fixed?: readonly string[]
  /** What of `told` is too much for the log. */
  readonly unlogged?: readonly string[]
}

/**
 * Takes the rows of a table: adds those that are missing, with their former ids where these are free, and compares the
 * others. A thousand in a transaction, each with its log entries; so whatever breaks, the next run goes on behind it.
 * @returns the ids that rows have here, by their keys
 */
export async function takeRows<Row extends { readonly id: number | null }, There extends Found>(
  run: Run,
  kind: Kind<Row, There>,
  given: readonly Row[],
): Promise<ReadonlyMap<string, number>> {
  const { report } = run
  // An empty list has its line in the report too.
  report.count(kind.part, 'added', 0)
  const wanted = new Map<string, Row>()
  for (const row of given) {
    const key = kind.key(row)
    if (wanted.has(key))
      report.problem(kind.part, `${kind.name(row)} stands in the list twice: the first was taken.`)
    else wanted.set(key, row)
  }
  const rows = [...wanted.values()]
  const all = rows.map(({ id }) => id)
  const ids = new Map<string, number>()
  for (const portion of portions(rows)) {
    await change(run.context, (inside) => takePortion(run, kind, inside, portion, all, ids))
    if (rows.length > portion.length) report.progress(kind.part, `${ids.size} of ${rows.length}`)
  }
  return ids
}

async function takePortion<Row extends { readonly id: number | null }, There extends Found>(
  { source, overwrite, report }: Run,
  kind: Kind<Row, There>,
  inside: Change,
  rows: readonly Row[],
  all: readonly (number | null)[],
  ids: Map<string, number>,
): Promise<void> {
  const { part, subject } = kind
  // Whoever adds or changes rows waits for the end of this transaction; those who read do not.
  await inside.db.execute(sql`lock table ${kind.table} in exclusive mode`)
  const there = await kind.find(inside, rows)
  const missing = rows.filter((row) => !there.has(kind.key(row)))
  const claimed = await claimIds(
    inside.db,
    kind.table,
    missing.map(({ id }) => id),
    all,
  )
  const added = missing.flatMap((row, index) => {
    const id = claimed[index]
    return id === undefined ? [] : [{ id, row }]
  })
  const now = inside.now()
  await insertWithIds(
    inside.db,
    kind.table,
    added.map(({ id, row }) => ({ ...kind.columns(row, now), id })),
  )
  await kind.link?.(inside, added)
  for (const { id, row } of added) ids.set(kind.key(row), id)
  if (subject !== null && added.length > 0) {
    await inside.recordAll(
      added.map(({ id, row }) => ({
        log: 'imports',
        description: 'imported',
        subject: { type: subject, id },
        attributes: { ...logged(kind.told(row, null), kind), source, former_id: row.id },
      })),
    )
  }
  let changed = 0
  for (const row of rows) {
    const found = there.get(kind.key(row))
    if (found === undefined) continue
    ids.set(kind.key(row), found.id)
    if (await compareRow(kind, inside, found, row, overwrite, report, source)) changed++
  }
  report.count(part, 'added', added.length)
  report.count(part, 'changed', changed)
  if (added.length + changed === 0) inside.unchanged()
  else if (subject === null) {
    const attributes = { source, added: added.length, changed }
    await inside.record({ log: 'imports', description: `${part} imported`, attributes })
  }
}

/** @returns whether the row was changed */
async function compareRow<Row extends { readonly id: number | null }, There extends Found>(
  kind: Kind<Row, There>,
  inside: Change,
  there: There,
  row: Row,
  overwrite: boolean,
  report: LegacyReport,
  source: string,
): Promise<boolean> {
  const { part, subject, update, fixed = [] } = kind
  const stays = (why: string) => {
    report.count(part, 'differing', 1)
    report.note(part, `${kind.name(row)} ${why}`)
  }
  if (there.isGone) {
    stays('was deleted here, and stays so.')
    return false
  }
  const told = kind.told(row, there)
  const old = kind.toldThere(there)
  const differs = (values: Values) => difference<Values>(old, values)?.attributes ?? {}
  const differing = Object.keys(differs(told))
  if (differing.length === 0) {
    report.count(part, 'unchanged', 1)
    return false
  }
  const written = overwrite && update !== null ? differing.filter((name) => !fixed.includes(name)) : []
  const kept = differing.filter((name) => !written.includes(name))
  if (kept.length > 0) stays(`differs here in ${kept.join(', ')}, and stays so.`)
  if (written.length === 0 || update === null) return false
  const pick = (from: Values) => Object.fromEntries(written.map((name) => [name, from[name]]))
  await update(inside, there, row, pick(told))
  if (subject !== null) {
    await inside.record({
      log: 'imports',
      description: 'imported again',
      subject: { type: subject, id: there.id },
      attributes: { ...logged(pick(told), kind), source },
      old: logged(pick(old), kind),
    })
  }
  return true
}

const logged = (values: Values, { unlogged = [] }: { readonly unlogged?: readonly string[] }): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !unlogged.includes(name)))
