import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type DayFact, dateText, dayFacts } from '../../entities/incident/day-text.ts'
import type { WindowDay } from '../../entities/incident/days.ts'
import styles from '../../entities/incident/uptime.module.css'

const columns: readonly DayFact[] = ['downtime', 'uptime', 'checks', 'failures', 'median', 'p95', 'unknown']

export function DayTable({ days }: { readonly days: readonly WindowDay[] }) {
  const { t, i18n } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className={styles.scroller} tabIndex={0} aria-label={t('monitoring.uptime.day.table')}>
      <Table stickyHeader className={styles.table} miw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('monitoring.uptime.day.date')}</Table.Th>
            {columns.map((name) => (
              <Table.Th key={name} scope="col" className={styles.number}>
                {t(`monitoring.uptime.day.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
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
        </Table.Tbody>
      </Table>
    </section>
  )
}
