import { type MaintenanceRepeat, maintenanceRepeats } from '@kustos/contract/maintenance'
import { type WebList, websRoutes } from '@kustos/contract/webs'
import { Chip, Group, Input, MultiSelect, NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CustomersPicker } from '../../entities/customer/CustomersPicker.tsx'
import { useWeekdayName } from '../../entities/maintenance/use-schedule-text.ts'
import { TagPicker } from '../../entities/tag/TagPicker.tsx'
import { useNodes } from '../../entities/web/use-nodes.ts'
import { useRoute } from '../../platform/query.ts'
import { FormSection } from '../../ui/contract-form/FormSection.tsx'
import type { FormFields } from '../../ui/contract-form/fields.tsx'
import { WebsField } from './WebsField.tsx'
import type { WindowForm } from './window-form.ts'

const namesOf = ({ data }: WebList) => data.map(({ id, fqdn }) => ({ value: String(id), label: fqdn }))
const daysOfMonth = Array.from({ length: 31 }, (_, index) => String(index + 1))
/** More text narrows them down. */
const maxShown = 20

interface Props {
  readonly fields: FormFields<WindowForm>
  /** The webs that it covers already, which may not be in the list. */
  readonly chosen: readonly { readonly id: number; readonly fqdn: string }[]
}

export function WindowFields({ fields: { field, values }, chosen }: Props) {
  const { t } = useTranslation()
  const { labels, hints } = t('maintenance.fields', { returnObjects: true })
  const named = (name: keyof WindowForm & keyof typeof labels) => ({ label: labels[name] })
  const listed = (name: 'nodes' | 'customers' | 'tags') => ({
    ...named(name),
    show: (list: string[]) => list.join(', '),
  })
  const webs = useRoute(websRoutes.listWebs, {}, { select: namesOf }).data ?? []
  const known = new Set(webs.map(({ value }) => value))
  const others = chosen
    .filter(({ id }) => !known.has(String(id)))
    .map(({ id, fqdn }) => ({ value: String(id), label: fqdn }))
  const nodes = useNodes() ?? []
  return (
    <>
      <TextInput
        {...field('reason', { ...named('reason'), hint: hints.reason })}
        autoComplete="off"
        data-autofocus
      />
      <FormSection title={t('maintenance.fields.covers')} hint={hints.covers}>
        <WebsField fields={{ field, values }} data={[...others, ...webs]} limit={maxShown} />
        <MultiSelect
          {...field('nodes', listed('nodes'))}
          searchable
          limit={maxShown}
          openOnFocus={false}
          nothingFoundMessage={t('webs.form.noMatch')}
          data={nodes.map(({ name }) => name)}
        />
        <CustomersPicker {...field('customers', listed('customers'))} />
        <TagPicker
          {...field('tags', { ...listed('tags'), wide: true })}
          placeholder={t('tags.picker.placeholder')}
          isCondition
        />
      </FormSection>
      <FormSection title={t('maintenance.fields.time')} hint={hints.time}>
        <Repeats {...field('repeats', named('repeats'))} />
        {values.repeats === 'once' ? (
          <>
            <TextInput {...field('starts_at', named('starts_at'))} type="datetime-local" required />
            <TextInput {...field('ends_at', named('ends_at'))} type="datetime-local" required />
          </>
        ) : (
          <Recurring fields={{ field, values }} />
        )}
      </FormSection>
    </>
  )
}

function Recurring({
  fields: { field, values },
}: {
  readonly fields: Pick<FormFields<WindowForm>, 'field' | 'values'>
}) {
  const { t } = useTranslation()
  const { labels, hints } = t('maintenance.fields', { returnObjects: true })
  const weekdayName = useWeekdayName('long')
  const duration = field('duration_minutes', { label: labels.duration_minutes })
  return (
    <>
      {values.repeats === 'weekly' ? (
        <Weekdays
          {...field('weekdays', {
            label: labels.weekdays,
            show: (days) => days.map((day) => weekdayName(Number(day))).join(', '),
          })}
        />
      ) : (
        <MultiSelect
          {...field('month_days', {
            label: labels.month_days,
            hint: hints.month_days,
            show: (days) => days.join(', '),
            wide: true,
          })}
          data={daysOfMonth}
          searchable
          openOnFocus={false}
          required
        />
      )}
      <TextInput {...field('start_time', { label: labels.start_time })} type="time" required />
      <NumberInput
        {...duration}
        value={values.duration_minutes ?? ''}
        onChange={(next) => duration.onChange(next === '' ? null : next)}
        min={1}
        allowDecimal={false}
        required
      />
      <TextInput {...field('first_day', { label: labels.first_day, hint: hints.first_day })} type="date" />
      <TextInput {...field('last_day', { label: labels.last_day, hint: hints.last_day })} type="date" />
    </>
  )
}

interface ChoiceProps<Value> {
  readonly label: string
  readonly error?: unknown
  readonly value?: Value
  readonly className?: string | undefined
  readonly onChange: (value: Value) => void
}

function Repeats({ label, value = 'once', onChange }: ChoiceProps<MaintenanceRepeat>) {
  const { t } = useTranslation()
  const names = t('gridLabels.maintenance.options.repeats', { returnObjects: true })
  return (
    <Input.Wrapper label={label} labelElement="div" style={{ gridColumn: '1 / -1' }} mb="sm">
      <div>
        <SegmentedControl<MaintenanceRepeat>
          aria-label={label}
          value={value}
          onChange={(next) => onChange(next)}
          data={maintenanceRepeats.map((repeat) => ({ value: repeat, label: names[repeat] }))}
        />
      </div>
    </Input.Wrapper>
  )
}

function Weekdays({ label, error, value = [], className, onChange }: ChoiceProps<string[]>) {
  const weekdayName = useWeekdayName('short')
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      required
      error={typeof error === 'string' && error}
      className={className}
      style={{ gridColumn: '1 / -1' }}
    >
      <Chip.Group multiple value={value} onChange={onChange}>
        <Group gap="xs" role="group" aria-label={label}>
          {['1', '2', '3', '4', '5', '6', '7'].map((day) => (
            <Chip key={day} value={day} size="xs" variant="outline">
              {weekdayName(Number(day))}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}
