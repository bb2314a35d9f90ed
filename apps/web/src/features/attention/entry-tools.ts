import type { AttentionEntry } from '@kustos/contract/attention'
import type { RowAction } from '../../ui/data-grid/types.ts'
import type { useHandlingActions } from './use-handling-actions.ts'

/** What all rows share, made once. */
export interface EntryTools {
  /** Unix milliseconds. */
  readonly now: number
  readonly nextActions: (entry: AttentionEntry) => readonly RowAction[]
  readonly handling: ReturnType<typeof useHandlingActions>
  /** A fact that all entries share, so that it is not repeated. */
  readonly without?: 'customer' | 'node' | undefined
}
