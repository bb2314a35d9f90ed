import type { TrackingChange } from '@kustos/contract/tracking'
import { Text } from '@mantine/core'
import { IconArrowRight, IconMinus, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { present, valueText } from '../../entities/tracking/FindingDetails.tsx'
import styles from '../../entities/tracking/tracking.module.css'
import { Section } from '../../ui/Section.tsx'

interface Props {
  readonly changes: readonly TrackingChange[]
  readonly isFirst: boolean
}

export function Changes({ changes, isFirst }: Props) {
  const { t } = useTranslation()
  return (
    <Section title={t('tracking.changes.title')}>
      {changes.length === 0 ? (
        <Text c="dimmed">{t(isFirst ? 'tracking.changes.first' : 'tracking.changes.none')}</Text>
      ) : (
        <ul className={styles.changes}>
          {changes.map((change) => (
            <Change key={`${change.topic} ${change.old} ${change.new}`} change={change} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const icons = { added: IconPlus, removed: IconMinus, changed: IconArrowRight }

function Change({ change: { topic, old, new: current } }: { readonly change: TrackingChange }) {
  const { t } = useTranslation()
  const kind = old === null ? 'added' : current === null ? 'removed' : 'changed'
  const Icon = icons[kind]
  // Some topics have no value other than being present.
  const displayText = (value: string | null) =>
    value === null || value === present ? null : valueText(value, t)
  return (
    <li className={styles.change}>
      <span className={styles.kind}>
        <Icon size={14} aria-hidden="true" />
        {t(`tracking.changes.${kind}`)}
      </span>
      <span className={styles.topic}>{t(`tracking.topics.${topic}`)}</span>
      <span className={styles.value}>
        {displayText(old) !== null && (
          <del className={styles.old}>
            <code className={styles.code}>{displayText(old)}</code>
          </del>
        )}
        {kind === 'changed' && <IconArrowRight size={14} aria-hidden="true" />}
        {displayText(current) !== null && (
          <ins className={styles.new}>
            <code className={styles.code}>{displayText(current)}</code>
          </ins>
        )}
      </span>
    </li>
  )
}
