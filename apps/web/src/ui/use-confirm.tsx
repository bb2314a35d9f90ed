import { Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { prepareOverlays } from './DeferredOverlays.tsx'

interface Question {
  readonly title?: string
  readonly text: string
  readonly hint?: string
  readonly more?: ReactNode
  /** Labels of the buttons. */
  readonly yes?: string
  readonly no?: string
  /** Whether the action is hard to undo. */
  readonly danger?: boolean
}

/** Titles may contain host names of 253 characters. */
export const longTitle = { title: { lineHeight: 1.4, overflowWrap: 'anywhere' } } as const

/** @returns a function that opens a confirmation dialog and resolves to whether the user agreed */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { t } = useTranslation()
  return useCallback(
    async ({ title, text, hint, more, yes, no, danger = false }) => {
      await prepareOverlays()
      return new Promise((resolve) => {
        modals.openConfirmModal({
          title: title ?? t('ui.confirm.title'),
          children: (
            <Stack gap="sm">
              <Text>{text}</Text>
              {hint !== undefined && <Text c="dimmed">{hint}</Text>}
              {more}
            </Stack>
          ),
          styles: longTitle,
          labels: { confirm: yes ?? t('ui.confirm.yes'), cancel: no ?? t('ui.confirm.cancel') },
          // Enter confirms, unless the action is hard to undo.
          confirmProps: { color: danger ? 'red' : 'teal', 'data-autofocus': !danger || undefined },
          cancelProps: { 'data-autofocus': danger || undefined },
          closeButtonProps: { 'aria-label': t('ui.confirm.cancel') },
          onConfirm: () => resolve(true),
          // Also called after confirming: the first answer counts.
          onClose: () => resolve(false),
        })
      })
    },
    [t],
  )
}
