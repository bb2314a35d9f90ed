import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { AgeClock } from './Age.tsx'
import styles from './attention.module.css'
import { EntryRow } from './EntryRow.tsx'
import type { EntryTools } from './entry-tools.ts'
import { countEntries, isCut, isOutageCut, type KindGroup } from './group-entries.ts'
import { OutageRow } from './OutageRow.tsx'
import { rowsStep } from './use-attention.ts'

interface Props {
  readonly group: KindGroup
  /** The number of entries, including those that are not listed. */
  readonly total: number
  readonly tools: EntryTools
  /** Whether the entries that are not listed are added step by step; otherwise the first are of several kinds. */
  readonly isStepwise: boolean
  /** Leads to entries that are not listed. @param isInRow whether it stands in the row of an outage */
  readonly more: (label: string, isInRow: boolean) => ReactNode
}

export function KindSection({ group, total, tools, isStepwise, more }: Props) {
  const { kind, outages, entries } = group
  const { t, i18n } = useTranslation()
  const heading = useId()
  const shown = countEntries(group)
  const next = { count: Math.min(rowsStep, total - shown), shown, total }
  return (
    <section aria-labelledby={heading}>
      <Title order={3} id={heading} className={styles.kind}>
        {t(`attention.kinds.${kind}`)}{' '}
        <span className={styles.total}>{total.toLocaleString(i18n.language)}</span>
      </Title>
      <AgeClock>
        <ul className={styles.list}>
          {outages.map((outage) => (
            <OutageRow
              key={outage.incident}
              outage={outage}
              more={
                !isStepwise && isOutageCut(outage, group, total)
                  ? more(t('attention.showAllWebs'), true)
                  : null
              }
              tools={tools}
            />
          ))}
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} tools={tools} />
          ))}
        </ul>
      </AgeClock>
      {isCut(group, total) &&
        more(isStepwise ? t('attention.showMore', next) : t('attention.showAll', { count: total }), false)}
    </section>
  )
}
