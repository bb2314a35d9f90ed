import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import styles from './users.module.css'

const field = (
  <Wide>
    <div className={styles.bone}>
      <Skeleton h={14} w={96} my={4} />
      <Skeleton h={32} />
    </div>
  </Wide>
)

/** The form's sections before there is anything to put into them. */
export function UserFormSkeleton() {
  const { t } = useTranslation()
  return (
    <div className={styles.skeleton} role="status" aria-label={t('grid.loading')}>
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
      <div className={styles.sending}>
        <Skeleton h={32} w={88} />
      </div>
    </div>
  )
}
