import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router-dom'
import { type Draft, openForm } from '../../platform/drafts.ts'
import { useUser } from '../../platform/session.ts'

/**
 * The key of a form's draft.
 * @param record distinguishes forms with the same path
 */
export function useDraftKey(record?: unknown): string {
  const { pathname } = useLocation()
  return JSON.stringify([useUser()?.id, pathname, record])
}

/**
 * Keeps unsaved input when the session ends or a permission is taken away, so that the form finds it again.
 * @param unsaved null if there is nothing to keep
 */
export function useDraft(key: string, unsaved: () => Draft | null) {
  const read = useEffectEvent(unsaved)
  useEffect(() => openForm(key, () => read()), [key])
}
