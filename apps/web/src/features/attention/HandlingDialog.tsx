import { acknowledgement, assignment, attentionRoutes, snooze } from '@kustos/contract/attention'
import { useTranslation } from 'react-i18next'
import { AssigneeField, NoteField, useAssignees } from '../../entities/attention/HandlingFields.tsx'
import { SnoozeFields, toSnoozeValues, useSnoozedText } from '../../entities/attention/SnoozeFields.tsx'
import { write } from '../../platform/query.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { fromLocal } from '../../ui/rome-input.ts'
import type { Target } from './use-handling.tsx'
import type { DialogAction } from './use-handling-actions.ts'
import { useSubject } from './use-subject.ts'

const { acknowledgeEntry, assignEntry, listAttention, snoozeEntry } = attentionRoutes

interface Props {
  readonly target: Target
  readonly onClose: () => void
}

/** A change of an entry that needs input. */
export function HandlingDialog({ action, ...props }: Props & { readonly action: DialogAction }) {
  if (action === 'assign') return <AssignDialog {...props} />
  return action === 'snooze' ? <SnoozeDialog {...props} /> : <AcknowledgeDialog {...props} />
}

/** What all dialogs have. */
function useTarget({ target, onClose }: Props) {
  const { t } = useTranslation()
  const { entry, isGroup } = target
  const subject = useSubject()(target)
  return {
    common: { onClose, source: entry },
    params: { id: entry.id },
    /**
     * The note only if it was changed: other entries of a group may have notes of their own. The rest as it was read, so that nobody's
     * change is overwritten.
     */
    change: (note: string) => ({
      ...(note !== (entry.note ?? '') && { note }),
      updated_at: entry.updated_at,
      group: isGroup,
    }),
    titleOf: (action: DialogAction) => `${t(`attention.dialog.${action}`)}: ${subject}`,
    notify: (done: string) => notifyDone(subject, done),
  }
}

function AcknowledgeDialog(props: Props) {
  const { t } = useTranslation()
  const { common, params, change, titleOf, notify } = useTarget(props)
  return (
    <FormDialog
      {...common}
      title={titleOf('acknowledge')}
      schema={acknowledgement}
      toValues={({ note }) => ({ note: note ?? '' })}
      toBody={({ note }) => change(note)}
      send={(body, signal) => write(acknowledgeEntry, { params, body }, [listAttention], signal)}
      onSaved={() => notify(t('attention.done.acknowledged'))}
      submitLabel={t('attention.dialog.acknowledge')}
    >
      {({ field }) => <NoteField field={field} />}
    </FormDialog>
  )
}

function AssignDialog(props: Props) {
  const { t } = useTranslation()
  const { common, params, change, titleOf, notify } = useTarget(props)
  const users = useAssignees(props.target.entry.kind)
  return (
    <FormDialog
      {...common}
      title={titleOf('assign')}
      schema={assignment}
      toValues={({ assigned_to, note }) => ({
        user: assigned_to ? String(assigned_to.id) : null,
        note: note ?? '',
      })}
      toBody={({ user, note }) => ({ user: Number(user), ...change(note) })}
      send={(body, signal) => write(assignEntry, { params, body }, [listAttention], signal)}
      onSaved={(_, values) => {
        const user = users?.find(({ id }) => String(id) === values.user)?.email ?? ''
        notify(t('attention.done.assigned', { user }))
      }}
      submitLabel={t('attention.dialog.assign')}
    >
      {({ field }) => (
        <>
          <AssigneeField field={field} users={users} />
          <NoteField field={field} />
        </>
      )}
    </FormDialog>
  )
}

function SnoozeDialog(props: Props) {
  const { t } = useTranslation()
  const { common, params, change, titleOf, notify } = useTarget(props)
  const snoozedText = useSnoozedText()
  return (
    <FormDialog
      {...common}
      title={titleOf('snooze')}
      schema={snooze}
      toValues={toSnoozeValues}
      toBody={({ until, note }) => ({ until: fromLocal(until), ...change(note) })}
      send={(body, signal) => write(snoozeEntry, { params, body }, [listAttention], signal)}
      onSaved={(_, values) => notify(snoozedText(values))}
      submitLabel={t('attention.dialog.snooze')}
    >
      {({ field }) => <SnoozeFields field={field} isIncident={props.target.entry.kind === 'web_down'} />}
    </FormDialog>
  )
}
