import { type Handover, handovers, newRota, type Rota, rotaChange, rotasRoutes } from '@kustos/contract/rotas'
import { Input, MultiSelect, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAssignees } from '../../entities/attention/HandlingFields.tsx'
import { useWeekdayName } from '../../entities/maintenance/use-schedule-text.ts'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { type FormFields, inputOrder } from '../../ui/contract-form/fields.tsx'
import { findListed } from '../../ui/contract-form/find-listed.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { toLocal } from '../../ui/rome-input.ts'
import { staleRoutes } from './stale-routes.ts'

const { createRota, editRota, listRotas } = rotasRoutes

interface RotaForm {
  readonly name: string
  /** Ids. */
  readonly users: string[]
  readonly handover: Handover
  readonly weekday: string
  readonly time: string
  readonly first_day: string
}

const emptyForm = (now: number): RotaForm => ({
  name: '',
  users: [],
  handover: 'weekly',
  weekday: '1',
  time: '09:00',
  first_day: toLocal(new Date(now).toISOString()).slice(0, 10),
})

const toForm = ({ name, users, handover, weekday, time, first_day }: Rota): RotaForm => ({
  name,
  users: users.map(({ id }) => String(id)),
  handover,
  weekday: String(weekday ?? 1),
  time,
  first_day,
})

const toBody = ({ users, weekday, ...form }: RotaForm) => ({
  ...form,
  users: users.map(Number),
  weekday: form.handover === 'weekly' ? Number(weekday) : null,
})

export function AddRotaDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [source] = useState(() => emptyForm(Date.now()))
  return (
    <FormDialog
      title={t('rotas.title.add')}
      onClose={onClose}
      schema={newRota}
      source={source}
      toValues={(values) => values}
      toBody={(values) => toBody(values)}
      send={(body, signal) => write(createRota, { body }, staleRoutes, signal)}
      onSaved={(_, { name }) => notifyDone(name.trim(), t('rotas.done.saved'))}
      submitLabel={t('rotas.add')}
    >
      {(fields) => <RotaFields fields={fields} chosen={[]} />}
    </FormDialog>
  )
}

export function EditRotaDialog({ rota, onClose }: { readonly rota: Rota; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('rotas.title.edit')}
      onClose={onClose}
      schema={rotaChange}
      source={rota}
      toValues={toForm}
      toBody={(values, source) => ({ ...toBody(values), updated_at: source.updated_at })}
      send={(body, signal) => write(editRota, { params: { id: rota.id }, body }, staleRoutes, signal)}
      loadLatest={() =>
        findListed(
          call(listRotas, {}).then(({ data }) => data),
          rota.id,
          'rota_not_found',
        )
      }
      onSaved={(_, { name }) => notifyDone(name.trim(), t('rotas.done.saved'))}
      submitLabel={t('rotas.save')}
    >
      {(fields) => <RotaFields fields={fields} chosen={rota.users} onCall={rota.now?.user?.name} />}
    </FormDialog>
  )
}

interface FieldsProps {
  readonly fields: FormFields<RotaForm>
  /** Users who are in it already, who may not be offered any more. */
  readonly chosen: readonly { readonly id: number; readonly name: string }[]
  /** The name of the user on call. */
  readonly onCall?: string | undefined
}

function RotaFields({ fields: { field, values }, chosen, onCall }: FieldsProps) {
  const { t } = useTranslation()
  const labels = t('rotas.fields', { returnObjects: true })
  const weekdayName = useWeekdayName('long')
  const offered = useAssignees('web_down') ?? []
  const known = new Set(offered.map(({ id }) => id))
  const users = [...offered, ...chosen.filter(({ id }) => !known.has(id))]
  const usersHint =
    onCall === undefined
      ? labels.usersHint
      : `${labels.usersHint} ${t('rotas.fields.onCallHint', { user: onCall })}`
  const handover = field('handover', { label: labels.handover, show: (value) => labels.handovers[value] })
  return (
    <>
      <TextInput {...field('name', { label: labels.name })} autoComplete="off" data-autofocus />
      <MultiSelect
        {...field('users', {
          label: labels.users,
          hint: usersHint,
          show: (ids) => ids.map((id) => users.find((user) => String(user.id) === id)?.name ?? id).join(', '),
        })}
        data={users.map(({ id, name }) => ({ value: String(id), label: name }))}
        searchable
        openOnFocus={false}
        nothingFoundMessage={t('webs.form.noMatch')}
      />
      <Input.Wrapper
        label={handover.label}
        labelElement="div"
        description={handover.description}
        inputWrapperOrder={inputOrder}
      >
        <div>
          <SegmentedControl<Handover>
            aria-label={labels.handover}
            value={values.handover}
            onChange={handover.onChange}
            data={handovers.map((value) => ({ value, label: labels.handovers[value] }))}
          />
        </div>
      </Input.Wrapper>
      {values.handover === 'weekly' && (
        <Select
          {...field('weekday', { label: labels.weekday, show: (day) => weekdayName(Number(day)) })}
          data={['1', '2', '3', '4', '5', '6', '7'].map((value) => ({
            value,
            label: weekdayName(Number(value)),
          }))}
          allowDeselect={false}
          openOnFocus={false}
        />
      )}
      <TextInput {...field('time', { label: labels.time, hint: labels.timeHint })} type="time" />
      <TextInput
        {...field('first_day', { label: labels.first_day, hint: labels.firstDayHint })}
        type="date"
      />
    </>
  )
}
