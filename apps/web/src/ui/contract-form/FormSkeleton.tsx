import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './ContractForm.module.css'
import { FormSection, Wide } from './FormSection.tsx'

interface SkeletonSection {
  readonly title: string
  readonly hint?: string
  /** How many fields take both columns; these come first. */
  readonly wide?: number
  /** How many fields take one column. */
  readonly narrow?: number
  /** Other than fields. */
  readonly content?: ReactNode
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A form's sections before there is anything to put into them, laid out as `ContractForm` does. */
export function FormSkeleton({ sections }: { readonly sections: readonly SkeletonSection[] }) {
  const { t } = useTranslation()
  return (
    <div className={styles.form} role="status" aria-label={t('grid.loading')}>
      {sections.map(({ wide = 0, narrow = 0, content, ...heading }) => (
        <FormSection key={heading.title} {...heading}>
          {times(wide).map((index) => (
            <Wide key={index}>{field}</Wide>
          ))}
          {times(narrow).map((index) => (
            <div key={index}>{field}</div>
          ))}
          {content !== undefined && <Wide>{content}</Wide>}
        </FormSection>
      ))}
      <div className={styles.end}>
        <Skeleton h={32} w={88} />
      </div>
    </div>
  )
}

export const labelSkeleton = <Skeleton h={14} w={96} my={4} />

const field = (
  <div className={styles.field}>
    {labelSkeleton}
    <Skeleton h={32} />
  </div>
)
