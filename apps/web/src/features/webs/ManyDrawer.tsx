import type { Web } from '@kustos/contract/webs'
import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { z } from 'zod'
import { type BatchWish, requestBatch } from '../../entities/batch/request-batch.tsx'
import { issueText } from '../../platform/message-text.ts'
import { markFirstField } from '../../ui/contract-form/focus.ts'
import { useAlert } from '../../ui/use-alert.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { useLeaveQuestion, useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'

export interface ManyProps {
  readonly webs: readonly Web[]
  /** Also called once the batch was requested. */
  readonly onClose: () => void
}

type Errors = Readonly<Record<string, string>>

/** Edits of many webs by field; fields that are not touched are missing. An edit takes the errors of the last attempt away. */
export function useManyEdits<Edits extends object>() {
  const [edits, setEdits] = useState<Edits>({} as Edits)
  const [errors, setErrors] = useState<Errors>({})
  return {
    edits,
    errors,
    setErrors,
    change(next: Partial<Edits>) {
      setEdits({ ...edits, ...next })
      setErrors({})
    },
    untouch(field: keyof Edits) {
      const { [field]: _, ...rest } = edits
      setEdits(rest as Edits)
      setErrors({})
    },
  }
}

interface Props<Schema extends z.ZodType<object>> extends ManyProps {
  readonly schema: Schema
  readonly edits: object
  readonly onErrors: (errors: Errors) => void
  /** The batch of these edits. */
  readonly wishOf: (parsed: z.output<Schema>) => Omit<BatchWish, 'webs' | 'danger'>
  readonly texts: Readonly<Record<'title' | 'hint' | 'cancel' | 'preview', string>>
  readonly size: number
  readonly children: ReactNode
}

/** A drawer with edits of many webs, which are previewed and run as a batch. Closing it with edits asks first. */
export function ManyDrawer<Schema extends z.ZodType<object>>({
  webs,
  onClose,
  schema,
  edits,
  onErrors,
  wishOf,
  texts,
  size,
  children,
}: Props<Schema>) {
  const confirm = useConfirm()
  const alert = useAlert()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  useReturnFocus()
  const mayLeave = useLeaveQuestion()
  const hasEdits = useRef(false)
  useLayoutEffect(() => {
    hasEdits.current = Object.keys(edits).length > 0
  }, [edits])
  useUnsavedGuard(useCallback(() => hasEdits.current, []))

  async function close() {
    if (!hasEdits.current || (await mayLeave())) onClose()
  }

  async function save() {
    const parsed = schema.safeParse(edits)
    if (!parsed.success) {
      const issues = parsed.error.issues
      return onErrors(
        Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), issueText(message)])),
      )
    }
    setBusy(true)
    const wish = { ...wishOf(parsed.data), webs, danger: false }
    const isRequested = await requestBatch(wish, { confirm, alert, navigate })
    setBusy(false)
    if (isRequested) onClose()
  }

  return (
    <Drawer
      opened
      onClose={() => void close()}
      position="right"
      size={`min(${size}px, 100vw)`}
      title={texts.title}
      closeButtonProps={{ 'aria-label': texts.cancel }}
    >
      <Stack gap="md" ref={markFirstField}>
        <Text c="dimmed">{texts.hint}</Text>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => void close()}>
            {texts.cancel}
          </Button>
          <Button disabled={Object.keys(edits).length === 0} loading={isBusy} onClick={() => void save()}>
            {texts.preview}
          </Button>
        </Group>
      </Stack>
    </Drawer>
  )
}
