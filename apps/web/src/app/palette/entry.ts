import type { Icon } from '@tabler/icons-react'

export interface PaletteEntry {
  readonly key: string
  readonly label: string
  readonly hint?: string | undefined
  readonly icon: Icon
  readonly mono?: boolean
  readonly danger?: boolean
  readonly onSelect: () => void
}

export interface EntryGroup {
  readonly key: string
  readonly label: string
  readonly entries: readonly PaletteEntry[]
  /** The total, if not all entries are shown. */
  readonly note?: string | undefined
  /** Whether it is offered because nothing was found. */
  readonly isFallback?: true
}

/** Closes the palette, then does the work. */
export type RunAfterClose = (work: () => void) => void
