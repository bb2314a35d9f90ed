/**
 * acknowledged: answered with 2xx. unknown: no answer came, or 503; it may have been carried out all the same.
 * refused: another answer.
 */
export type Outcome = 'acknowledged' | 'unknown' | 'refused'

/** Each row that the load makes, by its table. */
export type Table = 'webs' | 'external_domains' | 'users'

export interface Write {
  /** Of no other write; null for a deletion. */
  readonly value: string | null
  readonly outcome: Outcome
}

/** A row under the load's hands: what was written to it, in its order. */
export interface Row {
  readonly table: Table
  /** Its name, which is no other row's: an fqdn, or an e-mail. */
  readonly name: string
  readonly writes: readonly Write[]
}

/** Work that was asked for and has an id. */
export interface Asked {
  readonly table: 'deployments' | 'inspections'
  readonly id: number
}

export interface Ledger {
  note(table: Table, name: string, write: Write): void
  ask(asked: Asked): void
  readonly rows: () => readonly Row[]
  readonly asked: readonly Asked[]
}

/** What the API has acknowledged, to compare with the database. */
export function openLedger(): Ledger {
  const rows = new Map<string, { table: Table; name: string; writes: Write[] }>()
  const asked: Asked[] = []
  return {
    note(table, name, write) {
      const key = `${table} ${name}`
      const row = rows.get(key) ?? { table, name, writes: [] }
      row.writes.push(write)
      rows.set(key, row)
    },
    ask: (one) => void asked.push(one),
    rows: () => [...rows.values()],
    asked,
  }
}

/** What may stand in a row: the last write that was acknowledged, or a later one that nobody knows of. */
export function allowed({ writes }: Row): readonly (string | null)[] {
  const carried = writes.filter(({ outcome }) => outcome !== 'refused')
  const last = carried.findLastIndex(({ outcome }) => outcome === 'acknowledged')
  const values = carried.slice(Math.max(0, last)).map(({ value }) => value)
  // Whether it was ever made is not known either.
  return last === -1 ? [...values, null] : values
}
