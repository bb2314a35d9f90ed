import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import { FormSkeleton, fieldSkeleton } from '../../ui/contract-form/FormSkeleton.tsx'

const field = <Wide>{fieldSkeleton}</Wide>

export function UserFormSkeleton() {
  const { t } = useTranslation()
  return (
    <FormSkeleton>
      <FormSection title={t('users.form.sections.person')} hint={t('users.form.sections.personHint')}>
        {field}
        {field}
      </FormSection>
      <FormSection title={t('users.form.sections.access')} hint={t('users.form.sections.accessHint')}>
        {field}
        {field}
      </FormSection>
      <FormSection title={t('users.form.sections.messages')}>
        <Wide>
          <Skeleton h={20} w={220} my={6} />
        </Wide>
      </FormSection>
    </FormSkeleton>
  )
}
