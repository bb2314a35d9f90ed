import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { chartHeight } from '../../entities/incident/chart-height.ts'
import { type DayFact, dateText, dayFacts } from '../../entities/incident/day-text.ts'
import type { WindowDay } from '../../entities/incident/days.ts'
import styles from '../../ui/ScrollTable.module.css'
import { ScrollTable } from '../../ui/ScrollTable.tsx'

const columns: readonly DayFact[] = [
  'downtime',
  'planned',
  'uptime',
  'checks',
  'failures',
  'degraded',
  'median',
  'p95',
  'unknown',
]

export function DayTable({ days }: { readonly days: readonly WindowDay[] }) {
  const { t, i18n } = useTranslation()
  return (
    <ScrollTable
      label={t('monitoring.uptime.day.table')}
      miw={800}
      height={chartHeight}
      columns={[
        { label: t('monitoring.uptime.day.date') },
        ...columns.map((name) => ({ label: t(`monitoring.uptime.day.${name}`), isNumber: true })),
      ]}
    >
      {days.toReversed().map(({ date, known }) => {
        const facts = known && dayFacts(known, t, i18n.language)
        return (
          <Table.Tr key={date}>
            <Table.Th scope="row" fw={400}>
              {dateText(date)}
            </Table.Th>
            {columns.map((name) => (
              <Table.Td key={name} className={styles.number}>
                {facts?.[name] ?? '–'}
              </Table.Td>
            ))}
          </Table.Tr>
        )
      })}
    </ScrollTable>
  )
}
