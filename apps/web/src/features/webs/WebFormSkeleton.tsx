import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSkeleton, labelSkeleton } from '../../ui/contract-form/FormSkeleton.tsx'

export function WebFormSkeleton() {
  const { t } = useTranslation()
  const heading = (name: 'web' | 'hosting' | 'monitoring') => ({
    title: t(`webs.form.sections.${name}`),
    hint: t(`webs.form.sections.${name}Hint`),
  })
  const monitoring = (
    <>
      <Skeleton h={20} w={180} mb={16} />
      {labelSkeleton}
      <Skeleton h={20} w={260} mb={4} />
    </>
  )
  const notes = (
    <>
      {labelSkeleton}
      <Skeleton h={78} mb={2} />
    </>
  )
  return (
    <FormSkeleton
      sections={[
        { ...heading('web'), wide: 1, narrow: 4 },
        { ...heading('hosting'), narrow: 4 },
        { ...heading('monitoring'), content: monitoring },
        { title: t('webs.form.sections.notes'), content: notes },
      ]}
    />
  )
}
