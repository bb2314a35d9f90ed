import type { Column, GridDefinition } from '@kustos/contract/grid'
import type { Icon } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { ApiError } from '../../platform/api-error.ts'
import type { EmptyState } from '../EmptyState.tsx'
import type { ChangeSearchParams } from './use-grid-state.ts'

/** An entry of a row's menu: a link or a command. */
export type RowAction = {
  readonly key: string
  readonly label: string
  readonly icon: Icon
  /** Shown in red, because it is hard to undo. */
  readonly danger?: boolean
  readonly disabled?: boolean
} & ({ readonly to: string } | { readonly run: () => void })

/** False for actions that the user may not take. */
export type RowActions = readonly (RowAction | false)[]

/**
 * Renderers of cells by column key; null renders the default cell. Links are `GridLink`s. Must be a new object if the
 * language changes.
 */
export type Cells<Row> = Readonly<Record<string, (row: Row) => ReactNode>>

/**
 * Translations of values that are stored in English, by column key, so that they are searched and sorted as they are shown.
 * Must be the same object on every render.
 */
export type Texts<Row> = Readonly<Record<string, (row: Row) => string | null>>

/** An action on all selected rows. */
export interface BulkAction<Row> {
  readonly key: string
  readonly label: string
  readonly icon: Icon
  /** Whether it is in a menu, because the bar has no room for it. */
  readonly isMinor?: boolean
  /** @param clear unselects all rows, for what leaves the list as it is */
  readonly run: (rows: readonly Row[], clear: () => void) => void
}

/** For toolbars. */
export interface GridView {
  /** The state as a query string without `?`, for exports. */
  readonly query: string
  /** The number of rows that match the filters, on all pages. */
  readonly count: number
  /** Changes the URL and goes to page 1. Navigating in another way would lose the latest input. */
  readonly changeSearchParams: ChangeSearchParams
}

export interface DataGridProps<Row> {
  /** For local storage; a list of `listsWithViews` has views under this name. */
  readonly id: string
  /** Must be the same object on every render. */
  readonly grid: GridDefinition<Row>
  /** Undefined while loading. Must be the same array until it changes. */
  readonly rows: readonly Row[] | undefined
  readonly getRowId: (row: Row) => string | number
  /** For screen readers; by default the value of the first column. */
  readonly getRowName?: (row: Row) => string
  readonly title: string
  /** Buttons beside the Columns menu. */
  readonly toolbar?: (view: GridView) => ReactNode
  /** Below the heading. */
  readonly note?: ReactNode
  /** Whether the screen has a search of its own. */
  readonly hasSearch?: boolean
  /** Whether the server has rows beside those that are loaded. */
  readonly hasMoreRows?: boolean
  /** Called when the user scrolls down from the top. */
  readonly onLeaveTop?: () => void
  /** For the visible column sets. */
  readonly storageKey?: string
  readonly renderCell?: Cells<Row>
  readonly texts?: Texts<Row>
  readonly rowActions?: (row: Row) => RowActions
  readonly bulkActions?: readonly BulkAction<Row>[]
  /** Whether a row is grey, as deleted ones are. */
  readonly isMuted?: (row: Row) => boolean
  /** Whether columns that are empty in every row are left out. */
  readonly hidesEmptyColumns?: boolean
  /** The number of lines in a row's cells, if not one. */
  readonly countLines?: (row: Row) => number
  /** Shown if there are no rows at all. */
  readonly empty?: ComponentProps<typeof EmptyState>
  /** Its error is shown above rows that are already loaded. */
  readonly query?: Pick<UseQueryResult<unknown, ApiError>, 'error' | 'isFetching'> & {
    readonly refetch: () => unknown
  }
}

export interface ShownColumn<Row> extends Column<Row> {
  /** Pixels, where the window has room for all columns. */
  readonly width: number
  /** Pixels down to which it is narrowed before columns are cut; `width` if the user has chosen that. */
  readonly minWidth: number
}
