import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

interface Question {
  readonly title?: string
  readonly text: string
  /** What the confirming button says; "Yes" unless given. */
  readonly yes?: string
  readonly no?: string
  /** For what cannot be taken back lightly. */
  readonly danger?: boolean
}

/** A dialog that asks. @returns a function that resolves to whether the user agreed */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { t } = useTranslation()
  return useCallback(
    ({ title, text, yes, no, danger = false }) =>
      new Promise((resolve) => {
        modals.openConfirmModal({
          title: title ?? t('ui.confirm.title'),
          children: <Text>{text}</Text>,
          // A title may be a host name of 253 characters.
          styles: { title: { lineHeight: 1.4, overflowWrap: 'anywhere' } },
          labels: { confirm: yes ?? t('ui.confirm.yes'), cancel: no ?? t('ui.confirm.cancel') },
          // Enter confirms, but not what cannot be taken back lightly.
          confirmProps: { color: danger ? 'red' : 'teal', 'data-autofocus': !danger || undefined },
          cancelProps: { 'data-autofocus': danger || undefined },
          closeButtonProps: { 'aria-label': t('ui.confirm.cancel') },
          onConfirm: () => resolve(true),
          // Escape, the cross, Cancel, and after confirming too: the first answer counts.
          onClose: () => resolve(false),
        })
      }),
    [t],
  )
}
