import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface PaletteEntry {
  readonly key: string
  readonly label: string
  readonly hint?: string | undefined
  readonly icon: ReactNode
  readonly mono?: boolean
  readonly danger?: boolean
  readonly choose: () => void
}

export interface EntryGroup {
  readonly key: string
  readonly label: string
  readonly entries: readonly PaletteEntry[]
  /** The total, if not all entries are shown. */
  readonly note?: string | undefined
}

/** Closes the palette, then does the work. */
export type RunAfterClose = (work: () => void) => void

export const iconOf = (Glyph: Icon) => <Glyph size={16} aria-hidden="true" />
