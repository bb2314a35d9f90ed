import { Button, Modal } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ContractForm, type ContractFormProps } from './contract-form/ContractForm.tsx'
import { longTitle } from './use-confirm.tsx'
import { useReturnFocus } from './use-return-focus.ts'
import { DialogUnsavedContext, useLeaveQuestion } from './use-unsaved-guard.ts'

interface Props<Schema extends z.ZodObject, Result, Source, Values extends object>
  extends Omit<ContractFormProps<Schema, Result, Source, Values>, 'beside'> {
  readonly title: string
  /** Fits one column of fields by default. */
  readonly size?: 'xl'
  /** Also called after saving. */
  readonly onClose: () => void
}

/** A form in a dialog. Closing it with unsaved changes asks first. */
export function FormDialog<Schema extends z.ZodObject, Result, Source, Values extends object>(
  props: Props<Schema, Result, Source, Values>,
) {
  const { title, size, onClose, onSaved, ...form } = props
  const { t } = useTranslation()
  const mayLeave = useLeaveQuestion()
  useReturnFocus()
  const unsaved = useRef(() => false)
  async function close() {
    if (!unsaved.current() || (await mayLeave())) onClose()
  }
  return (
    <Modal
      opened
      onClose={() => void close()}
      title={title}
      {...(size && { size })}
      styles={longTitle}
      closeButtonProps={{ 'aria-label': t('ui.dialog.close') }}
    >
      <DialogUnsavedContext value={unsaved}>
        <ContractForm
          {...form}
          onSaved={async (result, values) => {
            await onSaved(result, values)
            onClose()
          }}
          beside={
            <Button variant="default" onClick={() => void close()}>
              {t('ui.dialog.cancel')}
            </Button>
          }
        />
      </DialogUnsavedContext>
    </Modal>
  )
}
