import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './ContractForm.module.css'

/** A form's sections before there is anything to put into them, laid out as `ContractForm` does. */
export function FormSkeleton({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={styles.form} role="status" aria-label={t('grid.loading')}>
      {children}
      <div className={styles.end}>
        <Skeleton h={32} w={88} />
      </div>
    </div>
  )
}

export const labelSkeleton = <Skeleton h={14} w={96} my={4} />

export const fieldSkeleton = (
  <div className={styles.field}>
    {labelSkeleton}
    <Skeleton h={32} />
  </div>
)
