import { Anchor, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Section } from '../../ui/Section.tsx'
import styles from './customers.module.css'

const initialCount = 10

interface Props {
  readonly title: string
  readonly names: readonly string[]
  readonly pathOf: (name: string) => string
}

/** Links one below the other, at first only some of them. */
export function NameList({ title, names, pathOf }: Props) {
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  const shown = isAll ? names : names.slice(0, initialCount)
  return (
    <Section title={title} hint={names.length === 0 ? undefined : String(names.length)}>
      {names.length === 0 ? (
        <Text c="dimmed">{t('customers.none')}</Text>
      ) : (
        <ul className={styles.contacts}>
          {shown.map((name) => (
            <li key={name} className={styles.host}>
              <Anchor component={Link} to={pathOf(name)} inherit>
                {name}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {shown.length < names.length && (
        <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          {t('webPage.all', { count: names.length })}
        </Button>
      )}
    </Section>
  )
}
