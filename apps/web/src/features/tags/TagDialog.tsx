import { newTag, type Tag, tagChange, tagColors, tagsRoutes, tagTypes } from '@kustos/contract/tags'
import { Group, Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TagDot } from '../../entities/tag/TagDot.tsx'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { findListed } from '../../ui/contract-form/find-listed.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { staleRoutes } from './stale-routes.ts'
import { emptyForm, type TagForm, toBody, toForm } from './tag-form.ts'

const { createTag, editTag, listTags } = tagsRoutes

export function AddTagDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('tags.add')}
      onClose={onClose}
      schema={newTag}
      source={emptyForm}
      toValues={(values) => values}
      toBody={toBody}
      send={(body, signal) => write(createTag, { body }, [listTags], signal)}
      onSaved={({ name }) => notifyDone(name, t('tags.done.created'))}
      submitLabel={t('tags.add')}
    >
      {(fields) => <TagFields fields={fields} />}
    </FormDialog>
  )
}

export function EditTagDialog({ tag, onClose }: { readonly tag: Tag; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const params = { id: tag.id }
  return (
    <FormDialog
      title={t('tags.editTitle', { name: tag.name })}
      onClose={onClose}
      schema={tagChange}
      source={tag}
      toValues={toForm}
      toBody={(values, { updated_at }) => ({ ...toBody(values), updated_at })}
      send={(body, signal) => write(editTag, { params, body }, staleRoutes, signal)}
      loadLatest={() => findListed(call(listTags, {}), tag.id, 'tag_not_found')}
      onSaved={(_, { name }) => notifyDone(name.trim(), t('tags.done.saved'))}
      submitLabel={t('tags.save')}
    >
      {(fields) => <TagFields fields={fields} />}
    </FormDialog>
  )
}

function TagFields({ fields: { field, values } }: { readonly fields: FormFields<TagForm> }) {
  const { t } = useTranslation()
  const { columns, options } = t('gridLabels.tags', { returnObjects: true })
  const colorNames = t('tags.colors', { returnObjects: true })
  return (
    <>
      <TextInput
        {...field('name', { label: columns.name, hint: t('tags.nameHint') })}
        {...plainText}
        data-autofocus
      />
      <Select
        {...field('type', {
          label: columns.type,
          hint: t(`tags.typeHints.${values.type}`),
          show: (type) => options.type[type],
        })}
        data={tagTypes.map((value) => ({ value, label: options.type[value] }))}
        allowDeselect={false}
      />
      {values.type === 'list' && (
        <TagsInput
          {...field('options', { label: columns.options, show: (list) => list.join(', ') })}
          placeholder={t('tags.optionsHint')}
          acceptValueOnBlur
          splitChars={[',', ';']}
        />
      )}
      <Select
        {...field('color', { label: t('tags.color'), show: (color) => colorNames[color] })}
        data={tagColors.map((value) => ({ value, label: colorNames[value] }))}
        allowDeselect={false}
        leftSection={<TagDot color={values.color} />}
        renderOption={({ option }) => (
          <Group gap="xs">
            <TagDot color={option.value as TagForm['color']} />
            {option.label}
          </Group>
        )}
      />
      <TextInput {...field('description', { label: columns.description })} autoComplete="off" />
    </>
  )
}
