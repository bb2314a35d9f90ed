import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection, Wide } from '../../ui/contract-form/FormSection.tsx'
import styles from './deployment.module.css'

const field = (
  <div className={styles.bone}>
    <Skeleton h={14} w={96} my={4} />
    <Skeleton h={32} />
  </div>
)

/** A request form's sections before there is anything to put into them. */
export function RequestFormSkeleton({ fields }: { readonly fields: number }) {
  const { t } = useTranslation()
  return (
    <div className={styles.skeleton} role="status" aria-label={t('grid.loading')}>
      {fields > 1 && (
        <FormSection title={t('deployment.request.sections.source')}>
          <Wide>{field}</Wide>
        </FormSection>
      )}
      <FormSection title={t('deployment.request.sections.web')}>
        {Array.from({ length: fields }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
          <div key={index}>{field}</div>
        ))}
      </FormSection>
      <FormSection title={t('deployment.request.sections.preview')}>
        <Wide>
          <Skeleton h={fields > 1 ? 98 : 70} />
        </Wide>
      </FormSection>
      <div className={styles.sending}>
        <Skeleton h={32} w={88} />
      </div>
    </div>
  )
}
