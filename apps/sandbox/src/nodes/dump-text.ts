import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

/** A part of a dump: one table, whole. */
export interface DumpedTable {
  readonly name: string
  readonly rows: number
  readonly sql: string
}

/** Writes a database as SQL that makes it again, table by table. */
export function* dumpTables(database: DatabaseSync): Generator<DumpedTable> {
  const tables = database
    .prepare(
      "select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by rowid",
    )
    .all()
  for (const table of tables) {
    const name = String(table.name)
    const rows = database.prepare(`select * from ${quotedName(name)} order by rowid`).all()
    const inserts = rows.map(
      (row) => `INSERT INTO ${quotedName(name)} VALUES (${Object.values(row).map(literal).join(', ')});\n`,
    )
    yield { name, rows: rows.length, sql: `${String(table.sql)};\n${inserts.join('')}` }
  }
}

export const dumpStart = '-- Kustos sandbox: SQL dump of a web\nBEGIN;\n'
/** A dump without it was cut off. */
export const dumpEnd = 'COMMIT;\n-- Dump completed\n'

const quotedName = (name: string) => `"${name.replaceAll('"', '""')}"`

function literal(value: SQLOutputValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  return String(value)
}
