import { Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'

interface Question {
  readonly title?: string
  readonly text: string
  /** Under the text: a choice that belongs to the question. */
  readonly more?: ReactNode
  /** What the confirming button says; "Yes" unless given. */
  readonly yes?: string
  readonly no?: string
  /** For what cannot be taken back lightly. */
  readonly danger?: boolean
}

/** A title may be a host name of 253 characters. */
export const longTitle = { title: { lineHeight: 1.4, overflowWrap: 'anywhere' } } as const

/** A dialog that asks. @returns a function that resolves to whether the user agreed */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { t } = useTranslation()
  return useCallback(
    ({ title, text, more, yes, no, danger = false }) =>
      new Promise((resolve) => {
        modals.openConfirmModal({
          title: title ?? t('ui.confirm.title'),
          children: (
            <Stack gap="sm">
              <Text>{text}</Text>
              {more}
            </Stack>
          ),
          styles: longTitle,
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
