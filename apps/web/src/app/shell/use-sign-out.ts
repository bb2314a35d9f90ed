import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { signOut } from '../../platform/session.ts'
import { notifyFailed } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'

export function useSignOut(): () => Promise<void> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const navigate = useNavigate()
  return async () => {
    if (!(await confirm({ title: t('shell.logout'), text: t('shell.logoutConfirm') }))) return
    await navigate('/')
    // Unsaved changes blocked the navigation.
    if (window.location.pathname !== '/') return
    try {
      await signOut()
    } catch (error) {
      notifyFailed(t('shell.logout'), error)
    }
  }
}
