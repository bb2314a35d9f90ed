import { Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Section } from '../../ui/Section.tsx'
import { FindingDetails } from './FindingDetails.tsx'
import { type Found, findingKey, groupOf, groups, notFound } from './found.ts'
import styles from './tracking.module.css'

interface Props {
  readonly found: readonly Found[]
  /** Whether everything was checked: only then is what is missing known to be absent. */
  readonly isWhole: boolean
}

export function FoundSection(props: Props) {
  const { t } = useTranslation()
  return (
    <Section title={t('tracking.found.title')}>
      <FoundThings {...props} />
    </Section>
  )
}

export function FoundThings({ found, isWhole }: Props) {
  const { t } = useTranslation()
  const absent = notFound(found)
  return (
    <div className={styles.found}>
      {found.length === 0 && (
        <EmptyState
          icon={IconCircleCheck}
          title={t('tracking.found.nothing')}
          {...(isWhole && { hint: t('tracking.found.nothingHint') })}
        />
      )}
      {groups.map((group) => {
        const things = found.filter(({ finding }) => groupOf(finding.topic) === group)
        return (
          things.length > 0 && (
            <div key={group}>
              <Title order={3} className={styles.group}>
                {t(`tracking.groups.${group}`)}
              </Title>
              {things.map((thing) => (
                <FindingDetails key={findingKey(thing.finding)} found={thing} />
              ))}
            </div>
          )
        )
      })}
      {absent.length > 0 && (
        <Text c="dimmed" fz="sm">
          <b>{t(isWhole ? 'tracking.found.notThere' : 'tracking.found.notSeen')}:</b>{' '}
          {absent.map((topic) => t(`tracking.topics.${topic}`)).join(', ')}
        </Text>
      )}
    </div>
  )
}
