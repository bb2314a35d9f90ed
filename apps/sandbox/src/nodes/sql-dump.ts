import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

interface DumpedTable {
  readonly name: string
  readonly rows: number
  readonly sql: string
}

export function* dumpTables(database: DatabaseSync): Generator<DumpedTable> {
  const tables = database
    .prepare(
      "select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by rowid",
    )
    .all()
  for (const table of tables) {
    const name = String(table.name)
    const rows = database.prepare(`select * from ${quoteName(name)} order by rowid`).all()
    const inserts = rows.map(
      (row) =>
        `INSERT INTO ${quoteName(name)} VALUES (${Object.values(row).map(formatLiteral).join(', ')});\n`,
    )
    yield { name, rows: rows.length, sql: `${String(table.sql)};\n${inserts.join('')}` }
  }
}

export const dumpStart = '-- Kustos sandbox: SQL dump of a web\nBEGIN;\n'
/** A dump without it is truncated. */
export const dumpEnd = 'COMMIT;\n-- Dump completed\n'

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`

function formatLiteral(value: SQLOutputValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  return String(value)
}
