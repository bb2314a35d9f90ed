import { Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { prepareOverlays } from './DeferredOverlays.tsx'

interface Texts {
  readonly text: string
  readonly hint?: string
  readonly more?: ReactNode
}

interface Question extends Texts {
  readonly title?: string
  /** Labels of the buttons. */
  readonly yes?: string
  readonly no?: string
  /** Whether the action is hard to undo. */
  readonly danger?: boolean
  /** For changing the texts of the open dialog. */
  readonly modalId?: string
  /** Closes the dialog when aborted, as if it was cancelled. */
  readonly signal?: AbortSignal
}

const renderTexts = ({ text, hint, more }: Texts) => (
  <Stack gap="sm">
    <Text>{text}</Text>
    {hint !== undefined && <Text c="dimmed">{hint}</Text>}
    {more}
  </Stack>
)

/** Changes the texts of a confirmation dialog, if it is open. */
export const updateConfirm = (modalId: string, { title, ...texts }: Texts & { readonly title: string }) =>
  modals.updateModal({ modalId, title, children: renderTexts(texts) })

/** Titles may contain host names of 253 characters. */
export const longTitle = { title: { lineHeight: 1.4, overflowWrap: 'anywhere' } } as const

/** @returns a function that opens a confirmation dialog and resolves to whether the user agreed */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { t } = useTranslation()
  return useCallback(
    async ({ title, yes, no, danger = false, modalId, signal, ...texts }) => {
      await prepareOverlays()
      if (signal?.aborted) return false
      return new Promise((resolve) => {
        const id = modals.openConfirmModal({
          ...(modalId !== undefined && { modalId }),
          title: title ?? t('ui.confirm.title'),
          children: renderTexts(texts),
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
        signal?.addEventListener('abort', () => modals.close(id), { once: true })
      })
    },
    [t],
  )
}
