import { formatTime } from '@kustos/contract/grid'
import { Button, Group, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FormFields } from '../../ui/contract-form/fields.tsx'
import { fromLocal } from '../../ui/rome-input.ts'
import { NoteField } from './HandlingFields.tsx'
import { snoozeEnd, snoozePresets } from './snooze-times.ts'

/** `until` is the value of a datetime-local input in Europe/Rome. */
export interface SnoozeValues {
  readonly until: string
  readonly note: string
}

/** What an entry or an incident is snoozed with. */
export const toSnoozeValues = ({ note }: { readonly note: string | null }): SnoozeValues => ({
  until: snoozeEnd('tomorrow', new Date()),
  note: note ?? '',
})

/** Such as "snoozed until 2026/11/20 08:00:00". */
export function useSnoozedText() {
  const { t } = useTranslation()
  return ({ until }: Pick<SnoozeValues, 'until'>) =>
    t('attention.done.snoozed', { time: formatTime(fromLocal(until)) })
}

interface Props extends Pick<FormFields<{ until: string; note: string }>, 'field'> {
  /** Whether it is an incident, about which routes alert. */
  readonly isIncident: boolean
}

export function SnoozeFields({ field, isIncident }: Props) {
  const { t } = useTranslation()
  const until = field('until', {
    label: t('attention.dialog.until'),
    hint: t(isIncident ? 'attention.dialog.untilOfIncidentHint' : 'attention.dialog.untilHint'),
  })
  return (
    <>
      <Group gap={6} role="group" aria-label={t('attention.dialog.presets')}>
        {snoozePresets.map((preset) => (
          <Button
            key={preset}
            variant="default"
            size="xs"
            onClick={() => until.onChange(snoozeEnd(preset, new Date()))}
          >
            {t(`attention.dialog.${preset}`)}
          </Button>
        ))}
      </Group>
      <TextInput {...until} type="datetime-local" data-autofocus />
      <NoteField field={field} />
    </>
  )
}
