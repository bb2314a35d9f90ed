import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../platform/load-code.ts'
import { useUser } from '../../platform/session.ts'
import { useNow } from '../../ui/use-now.ts'
import type { EntryTools } from './entry-tools.ts'
import type { Target } from './use-handling.tsx'
import type { DialogAction } from './use-handling-actions.ts'
import { useNextActions } from './use-next-actions.tsx'

const HandlingDialog = lazyPart(async () => ({
  default: (await import('./HandlingDialog.tsx')).HandlingDialog,
}))

/** What the rows of a list of entries share, and the dialog that they open. @param without what the page is about already */
export function useEntryTools(without?: EntryTools['without']): {
  readonly tools: EntryTools
  readonly dialog: ReactNode
} {
  const [open, setOpen] = useState<{ action: DialogAction; target: Target }>()
  const now = useNow(60_000)
  const openDialog = useCallback((action: DialogAction, target: Target) => setOpen({ action, target }), [])
  const { t } = useTranslation()
  const user = useUser()
  const nextActionsOn = useNextActions()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is offered depends on the language and the user alone, and the function is another at each rendering
  const tools = useMemo(
    () => ({ now, openDialog, nextActionsOn, without }),
    [now, openDialog, without, t, user],
  )
  const dialog = open && (
    <Suspense>
      <HandlingDialog {...open} onClose={() => setOpen(undefined)} />
    </Suspense>
  )
  return { tools, dialog }
}
