import { Card, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './Section.module.css'

interface Props {
  readonly title: string
  readonly hint?: string | undefined
  readonly beside?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, hint, beside, children }: Props) {
  const heading = useId()
  return (
    <Card component="section" aria-labelledby={heading} className={styles.section}>
      <div className={styles.head}>
        <Title order={2} id={heading} className="mantine-focus-auto" tabIndex={-1} data-focus-fallback="">
          {title}
        </Title>
        {hint !== undefined && <Text c="dimmed">{hint}</Text>}
        {beside && <div className={styles.beside}>{beside}</div>}
      </div>
      {children}
    </Card>
  )
}
