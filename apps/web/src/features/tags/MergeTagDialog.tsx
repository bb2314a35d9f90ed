import { type Tag, tagMerge, tagsRoutes } from '@kustos/contract/tags'
import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useTags } from '../../entities/tag/use-tags.ts'
import { write } from '../../platform/query.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { staleRoutes } from './stale-routes.ts'
import { useUsageText } from './use-usage-text.ts'

/** Asks which tag takes the place of another one. */
export function MergeTagDialog({ tag, onClose }: { readonly tag: Tag; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const usageText = useUsageText()
  const others = useTags().filter(({ id }) => id !== tag.id)
  return (
    <FormDialog
      title={t('tags.merge.title', { name: tag.name })}
      onClose={onClose}
      schema={tagMerge}
      source={{ into: '' }}
      toValues={(values) => values}
      toBody={(values) => values}
      send={(body, signal) =>
        write(tagsRoutes.mergeTag, { params: { id: tag.id }, body }, staleRoutes, signal)
      }
      onSaved={(_, { into }) => notifyDone(tag.name, t('tags.merge.done', { into }))}
      submitLabel={t('tags.merge.submit')}
    >
      {({ field }) => (
        <>
          <Select
            {...field('into', { label: t('tags.merge.into'), hint: t('tags.merge.intoHint') })}
            data={others.map(({ name }) => name)}
            searchable
            openOnFocus={false}
            nothingFoundMessage={t('tags.picker.none')}
            data-autofocus
          />
          <Text>{usageText(tag)}</Text>
          {tag.usage?.check && <Text>{t('tags.merge.check')}</Text>}
        </>
      )}
    </FormDialog>
  )
}
