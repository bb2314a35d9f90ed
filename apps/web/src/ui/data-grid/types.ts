import type { Column, GridDefinition } from '@kustos/contract/grid'
import type { Icon } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import type { ApiError } from '../../platform/api-error.ts'
import type { EmptyState } from '../EmptyState.tsx'
import type { ChangeAddress } from './use-grid-state.ts'

/** One entry of a row's menu: it leads somewhere or it does something. */
export type RowAction = {
  readonly key: string
  readonly label: string
  readonly icon: Icon
  /** Set apart and in red: what cannot be taken back lightly. */
  readonly danger?: boolean
  readonly disabled?: boolean
} & ({ readonly to: string } | { readonly run: () => void })

/** The actions of a row; false where the user may not take one. */
export type RowActions = readonly (RowAction | false)[]

/**
 * Cells that show more than their column's kind does, by column key; null for the default cell. Links are `GridLink`s. All are
 * made again when the language changes.
 */
export type Cells<Row> = Readonly<Record<string, (row: Row) => ReactNode>>

/**
 * Columns whose values are stored in English, in the console's language, by column key: sorted, searched and filtered as
 * they are shown. The same object on every render.
 */
export type Texts<Row> = Readonly<Record<string, (row: Row) => string | null>>

/** Something done to all chosen rows; with one of these the grid has a selection column. */
export interface BulkAction<Row> {
  readonly key: string
  readonly label: string
  readonly icon: Icon
  readonly run: (rows: readonly Row[]) => void
}

/** What a toolbar may need of the grid. */
export interface GridView {
  /** Filters, search, sort and column sets as a query string without `?`: the export takes the same. */
  readonly query: string
  /** How many rows pass the filters, on all pages. */
  readonly count: number
  /**
   * Changes the address and goes back to page 1, as a switch in the toolbar does. Written in another way, the address would
   * lose what was typed a moment before.
   */
  readonly changeAddress: ChangeAddress
}

export interface DataGridProps<Row> {
  /** Names the grid in local storage. */
  readonly id: string
  /** The contract's column list. Must be the same object on every render. */
  readonly grid: GridDefinition<Row>
  /**
   * Keys of the columns that stand first where few are seen at a time. The first of them names a row. The same array on every
   * render.
   */
  readonly first?: readonly string[]
  /** Undefined until they are there. The same array as long as nothing changed: all is derived from it once. */
  readonly rows: readonly Row[] | undefined
  readonly getRowId: (row: Row) => string | number
  /** What a screen reader calls a row, if not by one column. */
  readonly getRowName?: (row: Row) => string
  /** The screen's heading, with the Columns menu and the toolbar at its right end. */
  readonly title: string
  /** Beside the Columns menu: Create, Export. */
  readonly toolbar?: (view: GridView) => ReactNode
  /** Under the heading: how what the rows come from is doing. */
  readonly note?: ReactNode
  /** The user scrolls down from the top, to read. */
  readonly onLeaveTop?: () => void
  /** Where the chosen column sets are remembered. */
  readonly storageKey?: string
  readonly renderCell?: Cells<Row>
  readonly texts?: Texts<Row>
  readonly rowActions?: (row: Row) => RowActions
  readonly bulkActions?: readonly BulkAction<Row>[]
  /** Rows that are shown grey, as deleted ones are. */
  readonly isMuted?: (row: Row) => boolean
  /** For rows whose cells hold several lines, how many a row has; each line more makes it 20 px higher. */
  readonly linesOf?: (row: Row) => number
  /** What stands in place of the rows where there are none at all. */
  readonly empty?: ComponentProps<typeof EmptyState>
  /** What the rows come from; its error is shown above rows that are already there. */
  readonly query?: {
    readonly error: ApiError | null
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
}

export interface ShownColumn<Row> extends Column<Row> {
  /** Pixels. */
  readonly width: number
}
