import { type Check, checkFields } from '@kustos/contract/checks'
import { Button, Skeleton, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../platform/load-code.ts'
import { Can } from '../../ui/Can.tsx'
import { FactList } from '../../ui/FactList.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import styles from './check.module.css'
import { type CheckSubject, callsOf, useCheck } from './subjects.ts'
import { useCheckTexts } from './use-check-texts.ts'

const CheckDialog = lazyPart(() => import('./CheckDialog.tsx'))

interface Props {
  readonly subject: CheckSubject
  readonly name: string
}

/** How something is checked, as far as that is not the standard, and a button to change it. */
export function CheckSection({ subject, name }: Props) {
  const { t } = useTranslation()
  const query = useCheck(subject)
  const [isEditing, setEditing] = useState(false)
  return (
    <Section
      title={t('checks.title')}
      beside={
        <Can access={callsOf(subject).editAccess}>
          <Button
            variant="default"
            leftSection={<IconPencil size={16} />}
            disabled={query.data === undefined}
            onClick={() => setEditing(true)}
          >
            {t('checks.edit')}
          </Button>
        </Can>
      }
    >
      <QueryState query={query} skeleton={<Skeleton h={40} />}>
        {(check) => <Facts check={check} isOfWeb={'web' in subject} />}
      </QueryState>
      {isEditing && query.data !== undefined && (
        <Suspense>
          <CheckDialog subject={subject} name={name} check={query.data} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Section>
  )
}

function Facts({ check, isOfWeb }: { readonly check: Check; readonly isOfWeb: boolean }) {
  const { t } = useTranslation()
  const { textOf, sourceOf } = useCheckTexts()
  const changed = checkFields.filter((field) => check.sources[field].kind !== 'default')
  if (changed.length === 0)
    return <Text c="dimmed">{t(isOfWeb ? 'checks.standard' : 'checks.standardOfGroup')}</Text>
  return (
    <FactList
      facts={changed.map((field) => {
        const source = isOfWeb ? sourceOf(check.sources[field]) : null
        return [
          t(`checks.fields.${field}`),
          <span key={field} className={styles.value}>
            {textOf(field, check.effective[field])}
            {source !== null && (
              <Text span c="dimmed" fz="sm">
                {' '}
                · {source}
              </Text>
            )}
          </span>,
        ] as const
      })}
    />
  )
}
