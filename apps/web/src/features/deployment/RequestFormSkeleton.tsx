import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import { FormSkeleton, fieldSkeleton as field } from '../../ui/contract-form/FormSkeleton.tsx'

export function RequestFormSkeleton({ fields }: { readonly fields: number }) {
  const { t } = useTranslation()
  return (
    <FormSkeleton>
      {fields > 1 && (
        <FormSection title={t('deployment.request.sections.source')}>
          <Wide>{field}</Wide>
        </FormSection>
      )}
      <FormSection title={t('deployment.request.sections.web')}>
        {Array.from({ length: fields }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the elements are identical and never move.
          <div key={index}>{field}</div>
        ))}
      </FormSection>
      <FormSection title={t('deployment.request.sections.preview')}>
        <Wide>
          <Skeleton h={fields > 1 ? 98 : 70} />
        </Wide>
      </FormSection>
    </FormSkeleton>
  )
}
