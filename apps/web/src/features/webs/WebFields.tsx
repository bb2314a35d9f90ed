import type { Category, Node, WebForm } from '@kustos/contract/webs'
import { MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AlertChannels, channelNames } from '../../entities/customer/AlertChannels.tsx'
import { CustomerPicker } from '../../entities/customer/CustomerPicker.tsx'
import { TagPicker } from '../../entities/tag/TagPicker.tsx'
import styles from '../../entities/web/webs.module.css'
import { FormSection } from '../../ui/contract-form/FormSection.tsx'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'

type HintedField = 'fqdn' | 'auftragnr_hosting' | 'node' | 'configured_ip' | 'framework_name'

interface Props {
  readonly fields: FormFields<WebForm>
  readonly categories: readonly Category[]
  /** Choices for a new web; omitted if the node is fixed or not visible. */
  readonly nodes?: readonly Node[] | undefined
  readonly isNew: boolean
}

export function WebFields({ fields: { field, toggle, values }, categories, nodes, isNew }: Props) {
  const { t } = useTranslation()
  const { columns, options } = t('gridLabels.webs', { returnObjects: true })
  const labels = { ...columns, ...t('webs.form.fields', { returnObjects: true }) }
  const places: Readonly<Record<string, string>> = options.domain_state
  const categoryName = (id: number) => categories.find((category) => category.id === id)?.name ?? String(id)
  const placeName = (state: number | null) => places[String(state)] ?? t('webs.form.none')
  const label = (name: keyof WebForm) => ({ label: labels[name] })
  const hinted = (name: HintedField) => ({ ...label(name), hint: t(`webs.form.hints.${name}`) })
  const clearable = {
    clearable: true,
    clearButtonProps: { 'aria-label': t('webs.form.clear') },
    nothingFoundMessage: t('webs.form.noMatch'),
  }

  return (
    <>
      <FormSection title={t('webs.form.sections.web')} hint={t('webs.form.sections.webHint')}>
        <TextInput {...field('fqdn', { ...hinted('fqdn'), wide: true })} {...plainText} inputMode="url" />
        <CustomerPicker {...field('customer', label('customer'))} />
        <TextInput {...field('auftragnr_hosting', hinted('auftragnr_hosting'))} autoComplete="off" />
        <MultiSelect
          {...field('categories', {
            ...label('categories'),
            show: (ids) => ids.map(categoryName).join(', '),
          })}
          {...clearable}
          data={categories.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          classNames={{ input: styles.pills, inputField: styles.find }}
        />
        <TagPicker
          {...field('tags', { ...label('tags'), show: (tags) => tags.join(', ') })}
          placeholder={t('tags.picker.placeholder')}
        />
        <Select
          {...field('domain_state', { ...label('domain_state'), show: placeName })}
          {...clearable}
          data={Object.entries(places).map(([value, label]) => ({ value: Number(value), label }))}
          placeholder={t('webs.form.none')}
        />
      </FormSection>
      <FormSection title={t('webs.form.sections.hosting')} hint={t('webs.form.sections.hostingHint')}>
        {!isNew && (
          <TextInput
            {...field('node', { ...label('node'), hint: t('webs.form.hints.nodeFixed') })}
            value={values.node ?? t('webs.form.none')}
            readOnly
            variant="filled"
          />
        )}
        {isNew && nodes !== undefined && (
          <Select
            {...field('node', hinted('node'))}
            {...clearable}
            data={nodes.map(({ name }) => name)}
            placeholder={t('webs.form.none')}
            searchable
          />
        )}
        <TextInput
          {...field('configured_ip', hinted('configured_ip'))}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput {...field('framework_name', hinted('framework_name'))} autoComplete="off" />
        <TextInput {...field('framework_version', label('framework_version'))} autoComplete="off" />
      </FormSection>
      <FormSection title={t('webs.form.sections.monitoring')} hint={t('webs.form.sections.monitoringHint')}>
        <Switch {...toggle('monitoring_web_active', { ...label('monitoring_web_active'), wide: true })} />
        <AlertChannels
          {...field('monitoring_web_reporting_channel', {
            ...label('monitoring_web_reporting_channel'),
            hint: t('webs.form.hints.monitoring_web_reporting_channel'),
            show: (names) => channelNames(names, t),
            wide: true,
          })}
        />
      </FormSection>
      <FormSection title={t('webs.form.sections.notes')}>
        <Textarea
          {...field('comment', { ...label('comment'), wide: true })}
          autosize
          minRows={3}
          maxRows={14}
        />
      </FormSection>
    </>
  )
}
