import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router-dom'
import { type Draft, registerForm } from '../../platform/drafts.ts'
import { useUser } from '../../platform/session.ts'

/**
 * @param form distinguishes forms with the same path
 * @param record distinguishes those of the same kind
 */
export function useDraftKey(form: unknown, record?: unknown): string {
  const { pathname } = useLocation()
  return JSON.stringify([useUser()?.id, pathname, form, record])
}

/**
 * Keeps unsaved input when the session ends or a permission is withdrawn, so that the form can restore it.
 * @param unsaved null if there is none
 */
export function useDraft(key: string, unsaved: () => Draft | null) {
  const read = useEffectEvent(unsaved)
  useEffect(() => registerForm(key, () => read()), [key])
}
