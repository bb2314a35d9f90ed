import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from './use-confirm.tsx'

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
