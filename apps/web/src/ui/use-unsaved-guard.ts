import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router-dom'
import { useConfirm } from './use-confirm.tsx'

/**
 * Asks before a form with unsaved changes is left, by a link, Back or closing the tab.
 * @param unsaved read at the moment of leaving, so that a form that was just saved lets go
 */
export function useUnsavedGuard(unsaved: () => boolean) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && unsaved(),
  )

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const { proceed, reset } = blocker
    void confirm({
      title: t('ui.unsaved.title'),
      text: t('ui.unsaved.text'),
      yes: t('ui.unsaved.leave'),
      no: t('ui.unsaved.stay'),
      danger: true,
    }).then((leave) => (leave ? proceed() : reset()))
  }, [blocker, confirm, t])

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (unsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [unsaved])
}
