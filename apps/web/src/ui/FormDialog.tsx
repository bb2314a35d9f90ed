import { Button, Modal } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { UnsavedInside } from './unsaved-inside.ts'
import { longTitle } from './use-confirm.tsx'
import { useLeaveQuestion } from './use-leave-question.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  /** Receives the Cancel button. */
  readonly children: (cancel: ReactNode) => ReactNode
}

/** A form in a dialog. Closing it with unsaved changes asks first. */
export function FormDialog({ title, onClose, children }: Props) {
  const { t } = useTranslation()
  const mayLeave = useLeaveQuestion()
  const unsaved = useRef(() => false)
  async function close() {
    if (!unsaved.current() || (await mayLeave())) onClose()
  }
  return (
    <Modal
      opened
      onClose={() => void close()}
      title={title}
      styles={longTitle}
      closeButtonProps={{ 'aria-label': t('ui.dialog.close') }}
    >
      <UnsavedInside value={unsaved}>
        {children(
          <Button variant="default" onClick={() => void close()}>
            {t('ui.dialog.cancel')}
          </Button>,
        )}
      </UnsavedInside>
    </Modal>
  )
}
