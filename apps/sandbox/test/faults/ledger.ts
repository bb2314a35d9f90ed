/**
 * acknowledged: status 2xx. unknown: no response or 5xx, so that it may have been executed nevertheless.
 * refused: any other status.
 */
export type Outcome = 'acknowledged' | 'unknown' | 'refused'

/** The tables that the load writes to. */
export type Table = 'webs' | 'external_domains' | 'users'

export interface Write {
  /** Unique; null for a deletion. */
  readonly value: string | null
  readonly outcome: Outcome
}

/** A row and what the load wrote to it, in order. */
export interface Row {
  readonly table: Table
  /** Unique: an FQDN or an e-mail address. */
  readonly name: string
  readonly writes: readonly Write[]
}

/** Requested work. */
export interface WorkRequest {
  readonly table: 'deployments' | 'inspections'
  readonly id: number
}

export interface Ledger {
  recordWrite(table: Table, name: string, write: Write): void
  recordRequest(request: WorkRequest): void
  readonly rows: () => readonly Row[]
  readonly requests: readonly WorkRequest[]
}

/** Records the outcomes of writes, to compare them with the database. */
export function createLedger(): Ledger {
  const rows = new Map<string, { table: Table; name: string; writes: Write[] }>()
  const requests: WorkRequest[] = []
  return {
    recordWrite(table, name, write) {
      const key = `${table} ${name}`
      const row = rows.get(key) ?? { table, name, writes: [] }
      row.writes.push(write)
      rows.set(key, row)
    },
    recordRequest: (request) => void requests.push(request),
    rows: () => [...rows.values()],
    requests,
  }
}

/** The possible values of a row: the last acknowledged one, or a later one with an unknown outcome. */
export function listAllowedValues({ writes }: Row): readonly (string | null)[] {
  const possible = writes.filter(({ outcome }) => outcome !== 'refused')
  const last = possible.findLastIndex(({ outcome }) => outcome === 'acknowledged')
  const values = possible.slice(Math.max(0, last)).map(({ value }) => value)
  // Null, because the creation is not acknowledged either.
  return last === -1 ? [...values, null] : values
}
