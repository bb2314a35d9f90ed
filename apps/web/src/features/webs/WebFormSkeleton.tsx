import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import styles from './webs.module.css'

const field = (
  <div className={styles.bone}>
    <Skeleton h={14} w={96} mb={6} />
    <Skeleton h={32} />
  </div>
)

/** The form's sections with their fields still empty of everything. */
export function WebFormSkeleton() {
  const { t } = useTranslation()
  return (
    <div className={styles.skeleton} role="status" aria-label={t('grid.loading')}>
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
    </div>
  )
}
