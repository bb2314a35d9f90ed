import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import {
  FormSkeleton,
  fieldSkeleton as field,
  labelSkeleton as label,
} from '../../ui/contract-form/FormSkeleton.tsx'

export function WebFormSkeleton() {
  const { t } = useTranslation()
  return (
    <FormSkeleton>
      <FormSection title={t('webs.form.sections.web')} hint={t('webs.form.sections.webHint')}>
        <Wide>{field}</Wide>
        {field}
        {field}
        {field}
        {field}
      </FormSection>
      <FormSection title={t('webs.form.sections.hosting')} hint={t('webs.form.sections.hostingHint')}>
        {field}
        {field}
        {field}
        {field}
      </FormSection>
      <FormSection title={t('webs.form.sections.monitoring')} hint={t('webs.form.sections.monitoringHint')}>
        <Wide>
          <Skeleton h={20} w={180} mb={16} />
          {label}
          <Skeleton h={20} w={260} mb={4} />
        </Wide>
      </FormSection>
      <FormSection title={t('webs.form.sections.notes')}>
        <Wide>
          {label}
          <Skeleton h={78} mb={2} />
        </Wide>
      </FormSection>
    </FormSkeleton>
  )
}
