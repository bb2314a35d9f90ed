import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { signOutState } from './use-sign-out-on-arrival.ts'

/** @returns a function that asks, and goes to the dashboard to sign out there: unsaved changes may keep the user here */
export function useSignOut(): () => Promise<void> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const navigate = useNavigate()
  return async () => {
    if (!(await confirm({ title: t('shell.logout'), text: t('shell.logoutConfirm') }))) return
    await navigate('/', { state: signOutState })
  }
}
