import { formatTime } from '@kustos/contract/grid'
import {
  newClassification,
  type ThirdParty,
  type ThirdPartyCategory,
  thirdPartiesRoutes,
  thirdPartyCategories,
} from '@kustos/contract/third-parties'
import { Select, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { plainText } from '../../ui/contract-form/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { staleRoutes } from './stale-routes.ts'

/** A select has no null. */
const listed = 'listed'

interface ClassifyForm {
  readonly host: string
  readonly category: ThirdPartyCategory | typeof listed
  readonly reason: string
}

/** Classifies a host for all webs. */
export function ClassifyDialog({ row, onClose }: { readonly row: ThirdParty; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { host, classification, category } = row
  const { options } = t('gridLabels.thirdParties', { returnObjects: true })
  const categories = thirdPartyCategories.map((value) => ({ value, label: options.category[value] }))
  const { by, at, reason } = classification ?? { by: null, at: '', reason: '' }
  return (
    <FormDialog
      title={t('thirdParties.classify.title', { host })}
      onClose={onClose}
      schema={newClassification}
      source={row}
      toValues={(): ClassifyForm => ({ host: classification?.host ?? host, category, reason })}
      toBody={(values) => ({ ...values, category: values.category === listed ? null : values.category })}
      send={(body, signal) => write(thirdPartiesRoutes.classifyThirdParty, { body }, staleRoutes, signal)}
      onSaved={(_, values) => notifyDone(values.host, t('thirdParties.classify.done'))}
      submitLabel={t('thirdParties.classify.submit')}
    >
      {({ field }) => (
        <>
          {classification !== null && (
            <Text c="dimmed" fz="sm">
              {by === null
                ? t('thirdParties.classify.bySystem', { at: formatTime(at), reason })
                : t('thirdParties.classify.by', { by, at: formatTime(at), reason })}
            </Text>
          )}
          <TextInput
            {...field('host', {
              label: t('thirdParties.classify.host'),
              hint: t('thirdParties.classify.hostHint'),
            })}
            {...plainText}
          />
          <Select
            {...field('category', { label: t('thirdParties.classify.category') })}
            data={
              classification === null
                ? categories
                : [{ value: listed, label: t('thirdParties.classify.listed') }, ...categories]
            }
            allowDeselect={false}
            data-autofocus
          />
          <Textarea
            {...field('reason', {
              label: t('thirdParties.classify.reason'),
              hint: t('thirdParties.classify.reasonHint'),
            })}
            autosize
            minRows={2}
          />
        </>
      )}
    </FormDialog>
  )
}
