type Row = Record<string, unknown>

/** A list as the server sends it to those who accept `tableType`. */
export interface Table {
  readonly fields: readonly string[]
  readonly rows: readonly unknown[][]
}

/** @returns the list as JSON has it, with an object for each row under `data` */
export function readTable({ fields, rows, ...rest }: Table) {
  // Copies of one object share their shape, so that rows take little memory.
  const empty: Row = Object.fromEntries(fields.map((field) => [field, null]))
  const data = rows.map((values) => {
    const row = { ...empty }
    // An iterator over a hundred thousand rows takes twice as long.
    for (let index = 0; index < fields.length; index++) row[fields[index] ?? ''] = values[index]
    return row
  })
  return { data, ...rest }
}
