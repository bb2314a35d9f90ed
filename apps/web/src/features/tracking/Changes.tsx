import type { TrackingChange } from '@kustos/contract/tracking'
import { Card, Text, Title } from '@mantine/core'
import { IconArrowRight, IconMinus, IconPlus } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { valueText } from './FoundThing.tsx'
import styles from './tracking.module.css'

interface Props {
  readonly changes: readonly TrackingChange[]
  /** Whether there is no audit before it. */
  readonly isFirst: boolean
}

/** What an audit found otherwise than the one before it. */
export function Changes({ changes, isFirst }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  return (
    <Card component="section" aria-labelledby={heading} className={styles.section}>
      <Title order={2} id={heading}>
        {t('tracking.changes.title')}
      </Title>
      {changes.length === 0 ? (
        <Text c="dimmed">{t(isFirst ? 'tracking.changes.first' : 'tracking.changes.none')}</Text>
      ) : (
        <ul className={styles.changes}>
          {changes.map((change) => (
            <Change key={`${change.topic} ${change.old} ${change.new}`} change={change} />
          ))}
        </ul>
      )}
    </Card>
  )
}

const icons = { come: IconPlus, gone: IconMinus, changed: IconArrowRight }

function Change({ change: { topic, old, new: now } }: { readonly change: TrackingChange }) {
  const { t } = useTranslation()
  const kind = old === null ? 'come' : now === null ? 'gone' : 'changed'
  const Icon = icons[kind]
  // That it is there at all is all there is to say of some.
  const said = (value: string | null) => (value === null || value === 'yes' ? null : valueText(value, t))
  return (
    <li className={styles.change}>
      <span className={styles.kind}>
        <Icon size={14} aria-hidden="true" />
        {t(`tracking.changes.${kind}`)}
      </span>
      <span className={styles.topic}>{t(`tracking.topics.${topic}`)}</span>
      <span className={styles.value}>
        {said(old) !== null && (
          <del className={styles.old}>
            <code className={styles.code}>{said(old)}</code>
          </del>
        )}
        {kind === 'changed' && <IconArrowRight size={14} aria-hidden="true" />}
        {said(now) !== null && (
          <ins className={styles.new}>
            <code className={styles.code}>{said(now)}</code>
          </ins>
        )}
      </span>
    </li>
  )
}
