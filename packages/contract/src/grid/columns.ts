/** Chips carry a tone and a text, never the colour alone. */
export type Tone = 'green' | 'orange' | 'red' | 'grey'

export interface Option {
  readonly value: string
  readonly label: string
  readonly tone?: Tone
}

/**
 * What a column holds, and with it how it is shown, aligned, sorted, filtered and exported.
 * `select` and `status` hold one option's value, `tags` a list, `bytes` a number of bytes, `date` an ISO time.
 */
export type ColumnKind = 'text' | 'number' | 'bytes' | 'date' | 'select' | 'status' | 'tags'

export type Cell = string | number | null | readonly string[]

export interface Column<Row> {
  /** Stands in URLs and exports; lower-case letters, digits and underscores. */
  readonly key: string
  readonly label: string
  readonly kind: ColumnKind
  /** A string for text, select, status and date; a number for number and bytes; a list for tags. */
  readonly value: (row: Row) => Cell
  /** For select and status: the values with a name. One without shows as it is. */
  readonly options?: readonly Option[]
  /** The column set that it is shown and hidden with; columns without one always show. */
  readonly set?: string
  /** Set in the system's monospace: host names, commands, repositories. */
  readonly mono?: boolean
  /** Of the kind bytes: whether its decimals stand after a comma, as German writes them. */
  readonly decimalComma?: boolean
  /** Holds nothing but what its screen puts there, such as a button: there is nothing to sort or filter by. */
  readonly bare?: true
  /** How wide it starts, in pixels. */
  readonly width?: number
}

/** A named group of columns that is toggled as one. */
export interface ColumnSet {
  readonly key: string
  readonly label: string
  readonly shown: boolean
}

/** A grid's labels in another language: of columns, of their options by value, and of sets, each under its key. */
export interface GridLabels {
  readonly columns: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly sets: Readonly<Record<string, string>>
}

export interface GridColumns<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sets: readonly ColumnSet[]
  readonly german?: GridLabels
}

/** The columns that show while these sets are on. */
export const columnsOf = <C extends { readonly set?: string }>(
  grid: { readonly columns: readonly C[] },
  sets: readonly string[],
): readonly C[] => grid.columns.filter((column) => column.set === undefined || sets.includes(column.set))
