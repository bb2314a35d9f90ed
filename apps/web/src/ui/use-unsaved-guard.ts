import { useWindowEvent } from '@mantine/hooks'
import { createContext, type RefObject, useCallback, useContext, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router-dom'
import { prepareOverlays } from './DeferredOverlays.tsx'
import { useConfirm } from './use-confirm.tsx'

/** Lets a form tell the dialog around it whether it has unsaved changes. */
export const DialogUnsavedContext = createContext<RefObject<() => boolean> | null>(null)

/** @returns a function that asks whether to leave unsaved changes */
export function useLeaveQuestion(): () => Promise<boolean> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  return useCallback(
    () =>
      confirm({
        title: t('ui.unsaved.title'),
        text: t('ui.unsaved.text'),
        yes: t('ui.unsaved.leave'),
        no: t('ui.unsaved.stay'),
        danger: true,
      }),
    [confirm, t],
  )
}

/**
 * Asks before a form with unsaved changes is left, by a link, Back, closing the tab or the dialog around it.
 * @param hasUnsaved called when leaving, so that a form that was just saved does not ask
 */
export function useUnsavedGuard(hasUnsaved: () => boolean) {
  const mayLeave = useLeaveQuestion()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasUnsaved(),
  )

  // The question must be there even if the connection is lost.
  useEffect(() => void prepareOverlays(), [])

  // An event, so that texts that arrive meanwhile do not ask a second time.
  const ask = useEffectEvent(mayLeave)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const { proceed, reset } = blocker
    void ask().then((leave) => (leave ? proceed() : reset()))
  }, [blocker])

  useWindowEvent('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault()
  })

  const dialog = useContext(DialogUnsavedContext)
  useEffect(() => {
    if (dialog === null) return
    dialog.current = hasUnsaved
    return () => {
      dialog.current = () => false
    }
  }, [dialog, hasUnsaved])
}
