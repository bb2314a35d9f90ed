import { Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Section } from '../../ui/Section.tsx'
import { FindingDetails } from './FindingDetails.tsx'
import {
  findingGroupOf,
  findingGroups,
  findingKey,
  findMissingTopics,
  type KnownFinding,
} from './findings.ts'
import styles from './tracking.module.css'

interface Props {
  readonly findings: readonly KnownFinding[]
  /** Whether everything was checked. Only then are missing topics known to be absent. */
  readonly isComplete: boolean
}

export function FindingsSection(props: Props) {
  const { t } = useTranslation()
  return (
    <Section title={t('tracking.found.title')}>
      <FindingList {...props} />
    </Section>
  )
}

export function FindingList({ findings, isComplete }: Props) {
  const { t } = useTranslation()
  const missing = findMissingTopics(findings)
  return (
    <div className={styles.findings}>
      {findings.length === 0 && (
        <EmptyState
          icon={IconCircleCheck}
          title={t('tracking.found.nothing')}
          {...(isComplete && { hint: t('tracking.found.nothingHint') })}
        />
      )}
      {findingGroups.map((group) => {
        const items = findings.filter(({ finding }) => findingGroupOf(finding.topic) === group)
        return (
          items.length > 0 && (
            <div key={group}>
              <Title order={3} className={styles.group}>
                {t(`tracking.groups.${group}`)}
              </Title>
              {items.map((item) => (
                <FindingDetails key={findingKey(item.finding)} known={item} />
              ))}
            </div>
          )
        )
      })}
      {missing.length > 0 && (
        <Text c="dimmed" fz="sm">
          <b>{t(isComplete ? 'tracking.found.notThere' : 'tracking.found.notSeen')}:</b>{' '}
          {missing.map((topic) => t(`tracking.topics.${topic}`)).join(', ')}
        </Text>
      )}
    </div>
  )
}
