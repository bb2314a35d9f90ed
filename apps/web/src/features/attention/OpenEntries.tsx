import { visibleKinds } from '@kustos/contract/attention'
import { Button, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../platform/session.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import styles from './attention.module.css'
import { groupEntries } from './group-entries.ts'
import { KindSection } from './KindSection.tsx'
import { rowsPerKind, rowsStep, useEntriesOf } from './use-attention.ts'
import { useEntryTools } from './use-entry-tools.tsx'

interface Props {
  readonly of: { readonly customer: string } | { readonly node: string }
}

/** What needs attention of a customer or a node; nothing for users who may see no entries. */
export function OpenEntries({ of }: Props) {
  return visibleKinds(useUser()).length === 0 ? null : <Entries of={of} />
}

function Entries({ of }: Props) {
  const { t } = useTranslation()
  const [rows, setRows] = useState<number>(rowsPerKind)
  const query = useEntriesOf(of, rows)
  const isOfCustomer = 'customer' in of
  const { tools, dialog } = useEntryTools(isOfCustomer ? 'customer' : 'node')
  // An outage has webs of other customers, too.
  const groupsOf = (entries: Parameters<typeof groupEntries>[0]) =>
    groupEntries(isOfCustomer ? entries.map((entry) => ({ ...entry, node_outage: null })) : entries)
  return (
    <Section title={t('attention.title')}>
      <QueryState query={query} skeleton={<Skeleton h={44} />}>
        {({ data, kinds }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('attention.empty.open')}</Text>
          ) : (
            <div className={styles.kinds}>
              {groupsOf(data).map((group) => (
                <KindSection
                  key={group.kind}
                  group={group}
                  total={kinds[group.kind] ?? 0}
                  tools={tools}
                  isStepwise={rows > rowsPerKind}
                  more={(label, isInRow) => (
                    <Button
                      {...(isInRow ? { variant: 'subtle', size: 'compact-xs' } : { variant: 'default' })}
                      loading={query.isPlaceholderData}
                      onClick={() => setRows(rows === rowsPerKind ? rowsStep : rows + rowsStep)}
                      className={isInRow ? styles.toggle : styles.more}
                    >
                      {label}
                    </Button>
                  )}
                />
              ))}
            </div>
          )
        }
      </QueryState>
      {dialog}
    </Section>
  )
}
