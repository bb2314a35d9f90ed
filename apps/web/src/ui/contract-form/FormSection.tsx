import { Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './ContractForm.module.css'

interface Props {
  readonly title: string
  readonly hint?: string
  readonly children: ReactNode
}

/** A heading on the left, and fields in two columns on the right. */
export function FormSection({ title, hint, children }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={styles.section}>
      <div>
        <Title order={2} id={heading}>
          {title}
        </Title>
        {hint !== undefined && (
          <Text c="dimmed" fz="sm">
            {hint}
          </Text>
        )}
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  )
}

/** A field that spans both columns. */
export function FullWidthField({ children }: { readonly children: ReactNode }) {
  return <div className={styles.wide}>{children}</div>
}

/** Aligns other content with the sections of a form. */
export function FormWidthContainer({ children }: { readonly children: ReactNode }) {
  return <div className={styles.form}>{children}</div>
}
