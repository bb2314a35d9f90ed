import { type CheckField, checkEdits, defaultCheck } from '@kustos/contract/checks'
import type { Web } from '@kustos/contract/webs'
import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { requestBatch } from '../../entities/batch/request-batch.tsx'
import { CheckFields, type FieldMode } from '../../entities/check/CheckFields.tsx'
import { initialValue, type ManyForm } from '../../entities/check/check-form.ts'
import { issueText } from '../../platform/message-text.ts'
import { useAlert } from '../../ui/use-alert.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'

interface Props {
  readonly webs: readonly Web[]
  /** Also called once the batch was requested. */
  readonly onClose: () => void
}

type ManyField = Exclude<CheckField, 'headers'>

/** Changes how many webs are checked: fields that are not touched stay as they are in each web. */
export default function CheckManyDrawer({ webs, onClose }: Props) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const alert = useAlert()
  const navigate = useNavigate()
  const [edits, setEdits] = useState<ManyForm>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  useReturnFocus()

  const change = (field: ManyField, value: unknown) => {
    const { [field]: _, ...rest } = edits
    setEdits(value === undefined ? rest : { ...rest, [field]: value })
    setErrors({})
  }
  const onMode = (field: ManyField, mode: FieldMode) =>
    change(field, mode === 'keep' ? undefined : mode === 'inherit' ? null : initialValue(field))
  const modeOf = (field: ManyField): FieldMode =>
    edits[field] === undefined ? 'keep' : edits[field] === null ? 'inherit' : 'set'

  async function save() {
    const parsed = checkEdits.safeParse(edits)
    if (!parsed.success) {
      setErrors(
        Object.fromEntries(
          parsed.error.issues.map(({ path, message }) => [String(path[0]), issueText(message)]),
        ),
      )
      return
    }
    setBusy(true)
    const question = (count: number) => t('checks.many.question', { count })
    const wish = { action: 'changeCheck', webs, check: parsed.data, label: t('checks.many.label') } as const
    const isRequested = await requestBatch({ ...wish, question, danger: false }, { confirm, alert, navigate })
    setBusy(false)
    if (isRequested) onClose()
  }

  // Headers are left out, since each web would store the same secret.
  const of = (field: CheckField) => field as ManyField
  return (
    <Drawer
      opened
      onClose={() => onClose()}
      position="right"
      size="min(560px, 100vw)"
      title={t('checks.many.title', { count: webs.length })}
      closeButtonProps={{ 'aria-label': t('checks.many.cancel') }}
    >
      <Stack gap="md">
        <Text c="dimmed">{t('checks.many.hint')}</Text>
        <CheckFields
          modes={['keep', 'inherit', 'set']}
          modeOf={(field) => modeOf(of(field))}
          onMode={(field, mode) => onMode(of(field), mode)}
          inputOf={(field) => ({
            value: edits[of(field)] ?? defaultCheck[field],
            error: errors[field],
            onChange: (value) => change(of(field), value),
          })}
          inherited={() => null}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose()}>
            {t('checks.many.cancel')}
          </Button>
          <Button disabled={Object.keys(edits).length === 0} loading={isBusy} onClick={() => void save()}>
            {t('checks.many.preview')}
          </Button>
        </Group>
      </Stack>
    </Drawer>
  )
}
