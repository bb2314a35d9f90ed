import { type AttentionKind, attentionRoutes } from '@kustos/contract/attention'
import { Select, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import type { FormFields } from '../../ui/contract-form/fields.tsx'

/** The note on an entry or an incident that is acknowledged, assigned or snoozed. */
export function NoteField({ field }: Pick<FormFields<{ note: string }>, 'field'>) {
  const { t } = useTranslation()
  return (
    <Textarea
      {...field('note', { label: t('attention.dialog.note'), hint: t('attention.dialog.noteHint') })}
      autosize
      minRows={2}
      maxRows={6}
    />
  )
}

/** The users to whom entries of a kind can be assigned; undefined while they load. */
export const useAssignees = (kind: AttentionKind) =>
  useRoute(attentionRoutes.listAssignees, { query: { kind } }).data?.data

interface AssigneeProps extends Pick<FormFields<{ user: string | null }>, 'field'> {
  readonly users: ReturnType<typeof useAssignees>
}

export function AssigneeField({ field, users }: AssigneeProps) {
  const { t } = useTranslation()
  return (
    <Select
      {...field('user', { label: t('attention.dialog.user'), hint: t('attention.dialog.userHint') })}
      data={(users ?? []).map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` }))}
      placeholder={t('attention.dialog.choose')}
      searchable
      openOnFocus={false}
      data-autofocus
      readOnly={users === undefined}
    />
  )
}
