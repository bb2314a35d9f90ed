import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { notifyFailed } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { signOut } from '../session.ts'

/** Ends the session, after a question. */
export function useSignOut(): () => Promise<void> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const navigate = useNavigate()
  return async () => {
    if (!(await confirm({ title: t('shell.logout'), text: t('shell.logoutConfirm') }))) return
    await navigate('/')
    // Unsaved changes hold the user where they are: then they are asked about these first.
    if (window.location.pathname !== '/') return
    try {
      await signOut()
    } catch (error) {
      notifyFailed(t('shell.logout'), error)
    }
  }
}
