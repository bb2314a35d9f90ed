import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSkeleton } from '../../ui/contract-form/FormSkeleton.tsx'

export function RequestFormSkeleton({ fields }: { readonly fields: number }) {
  const { t } = useTranslation()
  const hasSource = fields > 1
  return (
    <FormSkeleton
      sections={[
        ...(hasSource ? [{ title: t('deployment.request.sections.source'), wide: 1 }] : []),
        { title: t('deployment.request.sections.web'), narrow: fields },
        {
          title: t('deployment.request.sections.preview'),
          content: <Skeleton h={hasSource ? 98 : 70} />,
        },
      ]}
    />
  )
}
