import type { AttentionEntry } from '@kustos/contract/attention'
import type { RowAction } from '../../ui/data-grid/types.ts'
import type { Target } from './use-handling.tsx'
import type { DialogAction } from './use-handling-actions.ts'

/** What all rows share. The same object until the minute is over, so that unchanged rows are not rendered again. */
export interface EntryTools {
  /** Unix milliseconds, once a minute. */
  readonly now: number
  readonly openDialog: (action: DialogAction, target: Target) => void
  /** What the user can do about an entry; the first one is its next action. */
  readonly nextActionsOn: (entry: AttentionEntry) => readonly RowAction[]
  /** A fact that all entries share, so that it is not repeated. */
  readonly without: 'customer' | 'node' | undefined
}
