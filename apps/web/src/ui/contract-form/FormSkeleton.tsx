import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './ContractForm.module.css'
import { FormSection, FullWidthField } from './FormSection.tsx'

interface SkeletonSection {
  readonly title: string
  readonly hint?: string
  /** The number of fields that span both columns; they come first. */
  readonly wide?: number
  /** The number of fields in one column. */
  readonly narrow?: number
  readonly content?: ReactNode
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Has the layout of `ContractForm`. */
export function FormSkeleton({ sections }: { readonly sections: readonly SkeletonSection[] }) {
  const { t } = useTranslation()
  return (
    <div className={styles.form} role="status" aria-label={t('grid.loading')}>
      {sections.map(({ wide = 0, narrow = 0, content, ...heading }) => (
        <FormSection key={heading.title} {...heading}>
          {times(wide).map((index) => (
            <FullWidthField key={index}>{field}</FullWidthField>
          ))}
          {times(narrow).map((index) => (
            <div key={index}>{field}</div>
          ))}
          {content !== undefined && <FullWidthField>{content}</FullWidthField>}
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
