import { useWindowEvent } from '@mantine/hooks'
import { useContext, useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import { prepareOverlays } from './DeferredOverlays.tsx'
import { UnsavedInside } from './unsaved-inside.ts'
import { useLeaveQuestion } from './use-leave-question.ts'

/**
 * Asks before a form with unsaved changes is left, by a link, Back, closing the tab or the dialog around it.
 * @param unsaved read when leaving, so that a form that was just saved does not ask
 */
export function useUnsavedGuard(unsaved: () => boolean) {
  const mayLeave = useLeaveQuestion()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && unsaved(),
  )

  // The question must be there even if the connection has been lost since.
  useEffect(() => void prepareOverlays(), [])

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const { proceed, reset } = blocker
    void mayLeave().then((leave) => (leave ? proceed() : reset()))
  }, [blocker, mayLeave])

  useWindowEvent('beforeunload', (event) => {
    if (unsaved()) event.preventDefault()
  })

  const dialog = useContext(UnsavedInside)
  useEffect(() => {
    if (dialog === null) return
    dialog.current = unsaved
    return () => {
      dialog.current = () => false
    }
  }, [dialog, unsaved])
}
