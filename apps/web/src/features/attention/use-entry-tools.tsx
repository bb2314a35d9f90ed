import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNow } from '../../ui/use-now.ts'
import type { EntryTools } from './entry-tools.ts'
import type { Target } from './use-handling.tsx'
import { type DialogAction, useHandlingActions } from './use-handling-actions.ts'
import { useNextActions } from './use-next-actions.tsx'

const HandlingDialog = lazy(async () => ({ default: (await import('./HandlingDialog.tsx')).HandlingDialog }))

/** What the rows of a list of entries share, and the dialog that they open. @param without what the page is about already */
export function useEntryTools(without?: EntryTools['without']): {
  readonly tools: EntryTools
  readonly dialog: ReactNode
} {
  const [open, setOpen] = useState<{ action: DialogAction; target: Target }>()
  const tools = {
    now: useNow(10_000),
    nextActions: useNextActions(),
    handling: useHandlingActions((action, target) => setOpen({ action, target })),
    without,
  }
  const dialog = open && (
    <Suspense>
      <HandlingDialog {...open} onClose={() => setOpen(undefined)} />
    </Suspense>
  )
  return { tools, dialog }
}
