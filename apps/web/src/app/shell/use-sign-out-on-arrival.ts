import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import { signOut } from '../../platform/session.ts'
import { notifyFailed } from '../../ui/notify.tsx'

/** The state of a navigation to the dashboard that ends the session. */
export const signOutState = 'signOut'

/** Signs out users whom `useSignOut` has brought to the dashboard. */
export function useSignOutOnArrival() {
  const { t } = useTranslation()
  const { state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (state !== signOutState) return
    // Not again when the page is loaded again, or for the next user.
    void navigate('/', { replace: true })
    signOut().catch((error) => notifyFailed(t('shell.logout'), error))
  }, [state, navigate, t])
}
