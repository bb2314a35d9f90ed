import { alertSeverities } from '@kustos/contract/alert-routes'
import { MultiSelect, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CustomersPicker } from '../../entities/customer/CustomersPicker.tsx'
import { useWeekdayName } from '../../entities/maintenance/use-schedule-text.ts'
import { TagPicker } from '../../entities/tag/TagPicker.tsx'
import { useNodes } from '../../entities/web/use-nodes.ts'
import { FormSection, FullWidthField } from '../../ui/contract-form/FormSection.tsx'
import type { FormFields } from '../../ui/contract-form/fields.tsx'
import type { RouteForm } from './route-form.ts'
import { StepFields } from './StepFields.tsx'

const days = ['1', '2', '3', '4', '5', '6', '7']
/** More text narrows them down. */
const maxShown = 20

export function RouteFields({ fields }: { readonly fields: FormFields<RouteForm> }) {
  const { field, toggle } = fields
  const { t } = useTranslation()
  const labels = t('alertRoutes.fields', { returnObjects: true })
  return (
    <>
      <TextInput {...field('name', { label: labels.name })} autoComplete="off" data-autofocus />
      <Switch {...toggle('is_active', { label: labels.is_active })} />
      <FormSection title={labels.when} hint={labels.whenHint}>
        <Conditions fields={fields} />
      </FormSection>
      <FormSection title={labels.what} hint={labels.whatHint}>
        <FullWidthField>
          <StepFields fields={fields} />
        </FullWidthField>
        <FullWidthField>
          <Switch {...toggle('replaces_channels', { label: labels.replaces_channels })} />
          <Switch {...toggle('continues', { label: labels.continues })} mt="xs" />
        </FullWidthField>
      </FormSection>
    </>
  )
}

function Conditions({ fields: { field } }: { readonly fields: FormFields<RouteForm> }) {
  const { t } = useTranslation()
  const labels = t('alertRoutes.fields', { returnObjects: true })
  const weekdayName = useWeekdayName('long')
  const nodes = useNodes() ?? []
  const listed = (name: 'customers' | 'tags' | 'nodes' | 'severities') => ({
    label: labels[name],
    show: (list: readonly string[]) => list.join(', '),
  })
  return (
    <>
      <CustomersPicker {...field('customers', listed('customers'))} />
      <MultiSelect
        {...field('nodes', listed('nodes'))}
        data={nodes.map(({ name }) => name)}
        searchable
        limit={maxShown}
        openOnFocus={false}
      />
      <TagPicker
        {...field('tags', { ...listed('tags'), wide: true })}
        placeholder={t('tags.picker.placeholder')}
        isCondition
      />
      <MultiSelect
        {...field('severities', listed('severities'))}
        data={alertSeverities.map((value) => ({ value, label: t(`alertRoutes.severities.${value}`) }))}
        openOnFocus={false}
      />
      <MultiSelect
        {...field('weekdays', {
          label: labels.weekdays,
          show: (chosen) => chosen.map((day) => weekdayName(Number(day))).join(', '),
        })}
        data={days.map((value) => ({ value, label: weekdayName(Number(value)) }))}
        openOnFocus={false}
      />
      <TextInput
        {...field('from_time', { label: labels.from_time, hint: labels.timeHint })}
        type="time"
        required={false}
      />
      <TextInput {...field('to_time', { label: labels.to_time })} type="time" required={false} />
    </>
  )
}
