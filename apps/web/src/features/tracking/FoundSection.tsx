import { Card, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FoundThing } from './FoundThing.tsx'
import { type Found, groupOf, groups, notFound } from './found.ts'
import styles from './tracking.module.css'

interface Props {
  readonly found: readonly Found[]
  /** Whether what is not among them is not there; else nobody could look everywhere. */
  readonly isWhole: boolean
}

/** What is known of a page, thing by thing; the evidence opens under each. */
export function FoundSection({ found, isWhole }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  const absent = notFound(found)
  return (
    <Card component="section" aria-labelledby={heading} className={styles.section}>
      <Title order={2} id={heading}>
        {t('tracking.found.title')}
      </Title>
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
                <FoundThing key={`${thing.finding.topic} ${thing.finding.value}`} thing={thing} />
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
    </Card>
  )
}
