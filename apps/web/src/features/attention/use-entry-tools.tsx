import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useNow } from '../../ui/use-now.ts'
import type { EntryTools } from './entry-tools.ts'
import type { Target } from './use-handling.tsx'
import type { DialogAction } from './use-handling-actions.ts'

const HandlingDialog = lazy(async () => ({ default: (await import('./HandlingDialog.tsx')).HandlingDialog }))

/** What the rows of a list of entries share, and the dialog that they open. @param without what the page is about already */
export function useEntryTools(without?: EntryTools['without']): {
  readonly tools: EntryTools
  readonly dialog: ReactNode
} {
  const [open, setOpen] = useState<{ action: DialogAction; target: Target }>()
  const now = useNow(60_000)
  const openDialog = useCallback((action: DialogAction, target: Target) => setOpen({ action, target }), [])
  const tools = useMemo(() => ({ now, openDialog, without }), [now, openDialog, without])
  const dialog = open && (
    <Suspense>
      <HandlingDialog {...open} onClose={() => setOpen(undefined)} />
    </Suspense>
  )
  return { tools, dialog }
}
