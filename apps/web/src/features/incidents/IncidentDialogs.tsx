import {
  type IncidentDetails,
  incidentAcknowledgement,
  incidentAssignment,
  incidentSnooze,
  incidentsRoutes,
  postMortem,
} from '@kustos/contract/incidents'
import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AssigneeField, NoteField, useAssignees } from '../../entities/attention/HandlingFields.tsx'
import { SnoozeFields, toSnoozeValues, useSnoozedText } from '../../entities/attention/SnoozeFields.tsx'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { fromLocal } from '../../ui/rome-input.ts'
import { staleRoutes } from './stale-routes.ts'

const { acknowledgeIncident, assignIncident, readIncident, snoozeIncident, writePostMortem } = incidentsRoutes

interface Props {
  readonly incident: IncidentDetails
  readonly title: string
  readonly onClose: () => void
}

/** The note only if it was changed: webs of an outage may have notes of their own. */
const changedNote = ({ note: known }: IncidentDetails, note: string) =>
  note === (known ?? '') ? {} : { note }

export function AcknowledgeDialog({ incident, title, onClose }: Props) {
  const { t } = useTranslation()
  const params = { id: incident.id }
  return (
    <FormDialog
      title={`${t('attention.dialog.acknowledge')}: ${title}`}
      onClose={onClose}
      schema={incidentAcknowledgement}
      source={incident}
      toValues={({ note }) => ({ note: note ?? '' })}
      toBody={({ note }) => changedNote(incident, note)}
      send={(body, signal) => write(acknowledgeIncident, { params, body }, staleRoutes, signal)}
      onSaved={() => notifyDone(title, t('attention.done.acknowledged'))}
      submitLabel={t('attention.dialog.acknowledge')}
    >
      {({ field }) => <NoteField field={field} />}
    </FormDialog>
  )
}

export function AssignDialog({ incident, title, onClose }: Props) {
  const { t } = useTranslation()
  const params = { id: incident.id }
  const users = useAssignees('web_down')
  return (
    <FormDialog
      title={`${t('attention.dialog.assign')}: ${title}`}
      onClose={onClose}
      schema={incidentAssignment}
      source={incident}
      toValues={({ assigned_to, note }) => ({
        user: assigned_to ? String(assigned_to.id) : null,
        note: note ?? '',
      })}
      toBody={({ user, note }) => ({ user: Number(user), ...changedNote(incident, note) })}
      send={(body, signal) => write(assignIncident, { params, body }, staleRoutes, signal)}
      onSaved={(_, values) => {
        const user = users?.find(({ id }) => String(id) === values.user)?.email ?? ''
        notifyDone(title, t('attention.done.assigned', { user }))
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

export function SnoozeDialog({ incident, title, onClose }: Props) {
  const { t } = useTranslation()
  const snoozedText = useSnoozedText()
  const params = { id: incident.id }
  return (
    <FormDialog
      title={`${t('attention.dialog.snooze')}: ${title}`}
      onClose={onClose}
      schema={incidentSnooze}
      source={incident}
      toValues={toSnoozeValues}
      toBody={({ until, note }) => ({ until: fromLocal(until), ...changedNote(incident, note) })}
      send={(body, signal) => write(snoozeIncident, { params, body }, staleRoutes, signal)}
      onSaved={(_, values) => notifyDone(title, snoozedText(values))}
      submitLabel={t('attention.dialog.snooze')}
    >
      {({ field }) => <SnoozeFields field={field} isIncident />}
    </FormDialog>
  )
}

/** If someone else has changed the text meanwhile, the form keeps what was written and can load theirs. */
export function PostMortemDialog({ incident, title, onClose }: Props) {
  const { t } = useTranslation()
  const params = { id: incident.id }
  return (
    <FormDialog
      title={`${t('incidents.postMortem.title')}: ${title}`}
      size="xl"
      onClose={onClose}
      schema={postMortem}
      source={incident}
      toValues={({ post_mortem: written }) => ({ text: written?.text ?? '' })}
      toBody={({ text }, { post_mortem: written }) => ({ text, updated_at: written?.updated_at ?? null })}
      send={(body, signal) => write(writePostMortem, { params, body }, staleRoutes, signal)}
      loadLatest={() => call(readIncident, { params })}
      onSaved={() => notifyDone(title, t('incidents.postMortem.saved'))}
      submitLabel={t('incidents.save')}
    >
      {({ field }) => (
        <Textarea
          {...field('text', {
            label: t('incidents.postMortem.title'),
            hint: t('incidents.postMortem.hint'),
          })}
          autosize
          minRows={8}
          maxRows={20}
          data-autofocus
        />
      )}
    </FormDialog>
  )
}
