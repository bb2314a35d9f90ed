import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** A line of the palette. */
export interface PaletteEntry {
  readonly key: string
  readonly label: string
  /** Beside the label, dimmed: what tells it from others of that name. */
  readonly hint?: string | undefined
  readonly icon: ReactNode
  /** For names of hosts. */
  readonly mono?: boolean
  readonly danger?: boolean
  readonly choose: () => void
}

export interface EntryGroup {
  readonly key: string
  readonly label: string
  readonly entries: readonly PaletteEntry[]
  /** How many there are in all, where not all are shown. */
  readonly note?: string | undefined
}

export const iconOf = (Glyph: Icon) => <Glyph size={16} aria-hidden="true" />
