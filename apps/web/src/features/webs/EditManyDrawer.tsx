import { type WebEdits, webEdits } from '@kustos/contract/batches'
import { tagName } from '@kustos/contract/tags'
import { type Category, reportingChannels, type Web, websRoutes } from '@kustos/contract/webs'
import { CloseButton, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CustomerPicker } from '../../entities/customer/CustomerPicker.tsx'
import { TagPicker } from '../../entities/tag/TagPicker.tsx'
import { useRoute } from '../../platform/query.ts'
import { describeLists, describeValues } from './describe-values.ts'
import { ManyDrawer, type ManyProps, useManyEdits } from './ManyDrawer.tsx'

type TextField = 'customer' | 'configured_ip' | 'framework_name' | 'framework_version' | 'comment'
const textFields: readonly TextField[] = ['configured_ip', 'framework_name', 'framework_version']

/** Edits many webs at once: fields that are not touched stay as they are in each web. */
export default function EditManyDrawer(props: ManyProps) {
  const { t } = useTranslation()
  const { setErrors, ...form } = useManyEdits<WebEdits>()
  const { data: categories = [] } = useRoute(websRoutes.listCategories, {})
  return (
    <ManyDrawer
      {...props}
      schema={webEdits}
      edits={form.edits}
      onErrors={setErrors}
      wishOf={(edits) => ({
        action: 'edit',
        edits,
        label: t('actions.edit.label'),
        question: (count) => t('batches.editMany.question', { count }),
      })}
      texts={{
        title: t('batches.editMany.title', { count: props.webs.length }),
        hint: t('batches.editMany.hint'),
        cancel: t('webs.form.cancel'),
        preview: t('batches.editMany.preview'),
      }}
      size={520}
    >
      <Fields webs={props.webs} categories={categories} {...form} />
    </ManyDrawer>
  )
}

interface FieldsProps {
  readonly webs: readonly Web[]
  readonly edits: WebEdits
  readonly errors: Readonly<Record<string, string>>
  readonly categories: readonly Category[]
  readonly change: (next: WebEdits) => void
  readonly untouch: (field: keyof WebEdits) => void
}

function Fields({ webs, edits, errors, categories, change, untouch }: FieldsProps) {
  const { t } = useTranslation()
  const { columns, options } = t('gridLabels.webs', { returnObjects: true })
  const labels = { ...columns, ...t('webs.form.fields', { returnObjects: true }) }
  const unchanged = t('batches.editMany.unchanged')

  const nameOf = (value: string) => (value === '' ? t('webs.form.none') : value)
  const words = {
    all: (value: string) => t('batches.editMany.all', { value: nameOf(value) }),
    one: (value: string, count: number) => `${nameOf(value)} (${count})`,
    more: (count: number) => t('batches.editMany.more', { count }),
  }

  /** The input's label, what the chosen webs have, its error, and a button that leaves the field unchanged after all. */
  function describe(field: keyof WebEdits, label: string, values: readonly string[]) {
    const isTouched = field in edits
    return {
      label,
      description: describeValues(values, words),
      error: errors[field],
      placeholder: isTouched ? '' : unchanged,
      ...(isTouched && {
        rightSection: <CloseButton size="sm" aria-label={unchanged} onClick={() => untouch(field)} />,
        rightSectionPointerEvents: 'all' as const,
      }),
    }
  }
  const textInput = (field: TextField) => ({
    ...describe(
      field,
      labels[field],
      webs.map((web) => web[field] ?? ''),
    ),
    value: edits[field] ?? '',
  })
  const typeInto =
    (field: TextField) =>
    ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      change({ [field]: currentTarget.value })
  const choices = categories.map(({ id, name }) => ({ value: String(id), label: name }))
  const held = new Set(webs.flatMap((web) => web.categories.map(({ id }) => String(id))))
  const categoryInput = (field: 'add_categories' | 'remove_categories') => ({
    label: t(`batches.editMany.${field}`),
    description: describeLists(
      webs.map((web) => web.categories.map(({ name }) => name)),
      words,
    ),
    data: field === 'add_categories' ? choices : choices.filter(({ value }) => held.has(value)),
    value: (edits[field] ?? []).map(String),
    onChange: (values: string[]) =>
      values.length === 0 ? untouch(field) : change({ [field]: values.map(Number) }),
    placeholder: edits[field] === undefined ? unchanged : '',
    searchable: true,
    nothingFoundMessage: t('webs.form.noMatch'),
    error: errors[field],
  })
  // A name without a value takes every value away.
  const heldTags = [...new Set(webs.flatMap(({ tags }) => tags.flatMap((tag) => [tagName(tag), tag])))].sort()
  const tagDescription = describeLists(
    webs.map(({ tags }) => tags),
    words,
  )
  const changeTags = (field: 'add_tags' | 'remove_tags', tags: string[]) =>
    tags.length === 0 ? untouch(field) : change({ [field]: tags })
  const places: Readonly<Record<string, string>> = options.domain_state
  const switchNames = { '1': t('batches.editMany.on'), '0': t('batches.editMany.off') }

  return (
    <>
      <CustomerPicker {...textInput('customer')} onChange={(customer) => change({ customer })} />
      {textFields.map((field) => (
        <TextInput
          key={field}
          {...textInput(field)}
          onChange={typeInto(field)}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
      <MultiSelect {...categoryInput('add_categories')} />
      <MultiSelect {...categoryInput('remove_categories')} />
      <TagPicker
        label={t('batches.editMany.add_tags')}
        description={tagDescription}
        value={edits.add_tags ?? []}
        onChange={(tags) => changeTags('add_tags', tags)}
        placeholder={unchanged}
        error={errors.add_tags}
      />
      <MultiSelect
        label={t('batches.editMany.remove_tags')}
        description={tagDescription}
        data={heldTags}
        value={edits.remove_tags ?? []}
        onChange={(tags) => changeTags('remove_tags', tags)}
        placeholder={edits.remove_tags === undefined ? unchanged : ''}
        searchable
        nothingFoundMessage={t('tags.picker.none')}
        error={errors.remove_tags}
      />
      <Select
        {...describe(
          'domain_state',
          labels.domain_state,
          webs.map((web) => places[String(web.domain_state)] ?? ''),
        )}
        data={[
          ...Object.entries(places).map(([value, label]) => ({ value, label })),
          { value: 'none', label: t('webs.form.none') },
        ]}
        value={edits.domain_state === undefined ? null : String(edits.domain_state ?? 'none')}
        onChange={(value) =>
          value !== null && change({ domain_state: value === 'none' ? null : (Number(value) as 1 | 2 | 3) })
        }
      />
      <Select
        {...describe(
          'monitoring_web_active',
          labels.monitoring_web_active,
          webs.map((web) => switchNames[`${web.monitoring_web_active}`]),
        )}
        data={Object.entries(switchNames).map(([value, label]) => ({ value, label }))}
        value={edits.monitoring_web_active === undefined ? null : String(edits.monitoring_web_active)}
        onChange={(value) => value !== null && change({ monitoring_web_active: value === '1' ? 1 : 0 })}
      />
      <MultiSelect
        {...describe(
          'monitoring_web_reporting_channel',
          labels.monitoring_web_reporting_channel,
          webs.map((web) =>
            reportingChannels
              .filter((name) => web.monitoring_web_reporting_channel.split(',').includes(name))
              .map((name) => t(`webs.form.channels.${name}`))
              .join(' + '),
          ),
        )}
        data={reportingChannels.map((value) => ({ value, label: t(`webs.form.channels.${value}`) }))}
        value={(edits.monitoring_web_reporting_channel ?? '').split(',').filter((name) => name !== '')}
        onChange={(values) => change({ monitoring_web_reporting_channel: values.join(',') })}
      />
      <Textarea {...textInput('comment')} onChange={typeInto('comment')} autosize minRows={2} maxRows={8} />
    </>
  )
}
