import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSkeleton } from '../../ui/contract-form/FormSkeleton.tsx'

export function UserFormSkeleton() {
  const { t } = useTranslation()
  const section = (name: 'person' | 'access') => ({
    title: t(`users.form.sections.${name}`),
    hint: t(`users.form.sections.${name}Hint`),
    wide: 2,
  })
  const messages = { title: t('users.form.sections.messages'), content: <Skeleton h={20} w={220} my={6} /> }
  return <FormSkeleton sections={[section('person'), section('access'), messages]} />
}
