export type Tone = 'green' | 'orange' | 'red' | 'grey'

export interface OptionDefinition {
  readonly value: string
  readonly tone?: Tone
}

/** @param tones by value */
export const tonedOptions = (tones: Readonly<Record<string, Tone>>): readonly OptionDefinition[] =>
  Object.entries(tones).map(([value, tone]) => ({ value, tone }))

export interface Option extends OptionDefinition {
  readonly label: string
}

/** Determines how a column is shown, aligned, sorted, filtered and exported. */
export type ColumnKind = 'text' | 'number' | 'bytes' | 'date' | 'select' | 'status' | 'tags'

export type Cell = string | number | null | readonly string[]

export interface ColumnDefinition<Row> {
  /** Used in URLs; lower-case letters, digits and underscores. */
  readonly key: string
  readonly kind: ColumnKind
  /** A number for number and bytes, a list for tags, an ISO time for date, an option's value for select and status. */
  readonly value: (row: Row) => Cell
  /** For select and status; other values are shown as they are. */
  readonly options?: readonly OptionDefinition[]
  /** The column set that it is shown and hidden with. */
  readonly set?: string
  /** Whether it is monospaced, as host names are. */
  readonly isMonospaced?: boolean
  /** Whether a filter for `contract` also finds its values, such as `contract:gold`; for tags. */
  readonly isKeyed?: true
  /** Cannot be sorted or filtered, because it has no value, only what its screen renders. */
  readonly displayOnly?: true
  /** Whether long texts take a second line in a row of one line, for sentences. */
  readonly wraps?: true
  /** The initial width in pixels. */
  readonly width?: number
  /** The pixels that it keeps in narrow windows; by default a part of its width, which depends on its kind. */
  readonly minWidth?: number
}

/** A column with its texts in a language. */
export interface Column<Row> extends ColumnDefinition<Row> {
  readonly label: string
  readonly options?: readonly Option[]
  /** For bytes, as in German. */
  readonly decimalComma?: boolean
}

/** A named group of columns that is toggled as one. */
interface ColumnSetDefinition {
  readonly key: string
  readonly isVisibleByDefault: boolean
}

export interface ColumnSet extends ColumnSetDefinition {
  readonly label: string
}

/** Keys of the labels in the catalogues. */
export type GridName =
  | 'webs'
  | 'tracking'
  | 'domains'
  | 'emails'
  | 'repositories'
  | 'users'
  | 'nodes'
  | 'customers'
  | 'tags'
  | 'thirdParties'
  | 'discovery'
  | 'queue'
  | 'batches'
  | 'incidents'
  | 'batchTargets'
  | 'logs'
  | 'uptime'
  | 'probes'
  | 'maintenance'
  | 'alertChannels'

export interface GridDefinition<Row> {
  readonly name: GridName
  readonly columns: readonly ColumnDefinition<Row>[]
  readonly sets: readonly ColumnSetDefinition[]
  /** Keys of the columns that narrow screens show first. The first of them names a row. */
  readonly primaryColumns?: readonly string[]
}

/** The fields of a row that are cells. */
type CellField<Row> = {
  [Field in keyof Row & string]: Row[Field] extends Cell ? Field : never
}[keyof Row & string]

/** A column that shows the field of its key. */
interface FieldColumn<Row> extends Omit<ColumnDefinition<Row>, 'key' | 'value'> {
  readonly key: CellField<Row>
  readonly value?: undefined
}

interface GridSource<Row> extends Omit<GridDefinition<Row>, 'columns' | 'sets'> {
  readonly columns: readonly (ColumnDefinition<Row> | FieldColumn<Row>)[]
  readonly sets?: GridDefinition<Row>['sets']
}

/** A column without a `value` shows the row's field of the same name. */
export const defineGrid = <Row>({ columns, sets = [], ...grid }: GridSource<Row>): GridDefinition<Row> => ({
  ...grid,
  columns: columns.map((column) =>
    column.value ? column : { ...column, value: (row) => row[column.key] as Cell },
  ),
  sets,
})

/** A grid with its texts in a language. */
export interface LabelledGrid<Row> extends GridDefinition<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sets: readonly ColumnSet[]
}

export const gridLanguages = ['en', 'de'] as const
export type GridLanguage = (typeof gridLanguages)[number]

type Labels = Readonly<Record<string, string>>

export interface GridLabels {
  readonly columns: Labels
  /** By column and value. */
  readonly options?: Readonly<Record<string, Labels>>
  readonly sets?: Labels
}

/** Used by the screen and the export, because labels are searched and sorted. */
export function labelGrid<Row>(
  { name, columns, sets }: GridDefinition<Row>,
  labels: GridLabels,
  language: GridLanguage,
): LabelledGrid<Row> {
  return {
    name,
    columns: columns.map(({ options, ...column }) => ({
      ...column,
      label: labels.columns[column.key] ?? column.key,
      ...(column.kind === 'bytes' && { decimalComma: language === 'de' }),
      ...(options && {
        options: options.map((option) => ({
          ...option,
          label: labels.options?.[column.key]?.[option.value] ?? option.value,
        })),
      }),
    })),
    sets: sets.map((set) => ({ ...set, label: labels.sets?.[set.key] ?? set.key })),
  }
}

/** The columns that are shown with these sets. */
export const columnsOf = <C extends { readonly set?: string }>(
  grid: { readonly columns: readonly C[] },
  sets: readonly string[],
): readonly C[] => grid.columns.filter((column) => column.set === undefined || sets.includes(column.set))
